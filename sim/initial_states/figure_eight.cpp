// SPDX-License-Identifier: MIT
// The figure-eight of Moore 1993 and Chenciner & Montgomery 2000, in collinear form: x = −1, 1, 0; v₁ = v₂ = −v₃/2.
#include "sim/initial_states/figure_eight.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "of each of the three bodies", .unit = "mass", .range = positive},
};

// For G m = 1; refined in 113-bit arithmetic until the orbit closes to 2e-28.
constexpr double p1 = 0.347116888118926938277;
constexpr double p2 = 0.532724945388030229262;
constexpr double period = 6.32591398292621167759;

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const double mass = arguments.number("mass");
  const double mu = environment.G * mass;
  if (!(mu > 0))
    throw ArgumentError(
        "mass", "no orbit: these masses do not attract each other (they or G are 0, or the force is one of charges)");
  const double speed = std::sqrt(mu);  // lengths stay, so speeds go as √(G m)

  InitialConditions made;
  Bodies& bodies = made.bodies;
  bodies.mass.assign(3, mass);
  bodies.position.push_back(-1, 0, 0);
  bodies.position.push_back(1, 0, 0);
  bodies.position.push_back(0, 0, 0);
  bodies.velocity.push_back(p1 * speed, p2 * speed, 0);
  bodies.velocity.push_back(p1 * speed, p2 * speed, 0);
  bodies.velocity.push_back(-2 * (p1 * speed), -2 * (p2 * speed), 0);
  made.timescale = period / speed;
  made.timescale_name = "period";
  return made;
}

}  // namespace

const InitialState figure_eight{.name = "figure-eight",
                                .meaning = "three equal bodies that chase each other along one figure-eight",
                                .parameters = parameters,
                                .make = make};

}  // namespace orrery::sim
