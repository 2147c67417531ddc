// SPDX-License-Identifier: MIT
// Three equal bodies at x = −1, 1, 0 with v₁ = v₂ = −v₃/2 = (p₁, p₂): a table of known periodic orbits.
//
// The figure-eight is that of Moore 1993, Phys. Rev. Lett. 70, 3675, and Chenciner & Montgomery 2000, Ann. Math. 152,
// 881; the others are by Šuvakov & Dmitrašinović 2013, Phys. Rev. Lett. 110, 114301. Commonly copied digits close them
// to 1e-3 only; these were refined in 113-bit arithmetic until |state(T) − state(0)| was below 6e-24.
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"

#include <cmath>
#include <utility>

namespace orrery::sim {
namespace {

/// For G m = distance = 1.
struct Orbit {
  std::string_view name, meaning;
  double p1, p2, period;
  Citations references{literature::suvakov2013};
};

constexpr Orbit orbits[] = {
    {"figure-eight",
     "three equal bodies that chase each other along one figure-eight",  //
     0.347116888118926938277,
     0.532724945388030229262,
     6.32591398292621167759,
     {literature::moore1993, literature::chenciner2000}},
    {"butterfly-1", "three equal bodies on the periodic orbit “butterfly I” of Šuvakov & Dmitrašinović",  //
     0.306893420464379225836, 0.125506567015283151846, 6.23467483872780877539},
    {"butterfly-2", "three equal bodies on the periodic orbit “butterfly II” of Šuvakov & Dmitrašinović",  //
     0.392955493698348367644, 0.0975789684231816545872, 7.00370960065359225934},
    {"butterfly-3", "three equal bodies on the periodic orbit “butterfly III” of Šuvakov & Dmitrašinović",  //
     0.405915567135178093515, 0.230163125980275074877, 13.8671234358302923494},
    {"moth-1", "three equal bodies on the periodic orbit “moth I” of Šuvakov & Dmitrašinović",  //
     0.464445172818066681822, 0.396060014652814781928, 14.8943051750421237227},
    {"goggles", "three equal bodies on the periodic orbit “goggles” of Šuvakov & Dmitrašinović",  //
     0.0833000718504974698995, 0.127889255519766706478, 10.4648495259207198454},
    {"dragonfly", "three equal bodies on the periodic orbit “dragonfly” of Šuvakov & Dmitrašinović",  //
     0.0805842255406516269531, 0.588836089777913587349, 21.2723373946142541548},
    {"yin-yang-1a", "three equal bodies on the periodic orbit “yin-yang I(a)” of Šuvakov & Dmitrašinović",  //
     0.513938537460328104329, 0.304735919346846114751, 17.3288340186162371376},
    {"yin-yang-1b", "three equal bodies on the periodic orbit “yin-yang I(b)” of Šuvakov & Dmitrašinović",  //
     0.282702090436163115999, 0.327208971522764903002, 10.9633030881137407007},
};

constexpr Parameter parameters[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "of each of the three bodies", .unit = "mass", .range = positive},
    length_key("distance", "1.0", "of the outer bodies from the middle one at the start"),
};

InitialConditions make(const Orbit& orbit, double mass, double distance, double G) {
  const double mu = G * mass;
  require_attraction(mu, "mass");
  const double speed = std::sqrt(mu / distance);
  const double vx = orbit.p1 * speed, vy = orbit.p2 * speed;

  InitialConditions made;
  Bodies& bodies = made.bodies;
  bodies.mass.assign(3, mass);
  bodies.position = {{-distance, 0, 0}, {distance, 0, 0}, {0, 0, 0}};
  bodies.velocity = {{vx, vy, 0}, {vx, vy, 0}, {-2 * vx, -2 * vy, 0}};
  made.timescale = orbit.period * distance / speed;
  made.timescale_name = "period";
  return made;
}

/// One initial state for each line of the table.
template <std::size_t... k>
constexpr std::array<InitialState, sizeof...(k)> described(std::index_sequence<k...>) {
  return {InitialState{.name = orbits[k].name,
                       .meaning = orbits[k].meaning,
                       .references = orbits[k].references,
                       .parameters = parameters,
                       .make = [](const Arguments& arguments, const Environment& environment) {
                         return make(orbits[k], arguments.number("mass"), arguments.number("distance"), environment.G);
                       }}...};
}

}  // namespace

constexpr std::array<InitialState, 9> collinear_orbits = described(std::make_index_sequence<std::size(orbits)>{});

}  // namespace orrery::sim
