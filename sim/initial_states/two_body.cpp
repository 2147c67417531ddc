// SPDX-License-Identifier: MIT
// Two bodies on a Kepler orbit: x = m₂/M r and −m₁/M r about their centre of mass, r = a(1 − e) at the start.
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "masses",
     .kind = Kind::numbers,
     .fallback = "[1.0, 1.0]",
     .meaning = "of the two bodies",
     .unit = "mass",
     .range = not_negative,
     .count = 2},
    length_key("semi_major_axis", "1.0", "of the relative orbit"),
    {.name = "eccentricity",
     .fallback = "0.5",
     .meaning = "0 is a circle",
     .range = {.low = 0, .high = 1, .high_open = true}},
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto& m = arguments.numbers("masses");
  const double a = arguments.number("semi_major_axis"), e = arguments.number("eccentricity");
  const double total = m[0] + m[1], mu = environment.G * total;
  require_attraction(mu, "masses");
  const double r = a * (1 - e);
  const double v = std::sqrt(mu * (1 + e) / r);  // at pericentre, perpendicular to r

  InitialConditions made;
  made.bodies.mass = m;
  made.bodies.position = {{-r * (m[1] / total), 0, 0}, {r * (m[0] / total), 0, 0}};
  made.bodies.velocity = {{0, -v * (m[1] / total), 0}, {0, v * (m[0] / total), 0}};
  made.timescale = 2 * pi * std::sqrt(a * a * a / mu);
  made.timescale_name = "period";
  return made;
}

}  // namespace

const InitialState two_body{.name = "two-body",
                            .meaning = "two bodies on a Kepler orbit, at pericentre on the x axis",
                            .references = {literature::murray1999},
                            .parameters = parameters,
                            .make = make,
                            .kepler = [](const Arguments& arguments) {
                              const auto& m = arguments.numbers("masses");
                              return KeplerStart{.masses = {m[0], m[1]},
                                                 .semi_major_axis = arguments.number("semi_major_axis"),
                                                 .eccentricity = arguments.number("eccentricity")};
                            }};

}  // namespace orrery::sim
