// SPDX-License-Identifier: MIT
// Lagrange's triangle: each body is on a Kepler orbit of the same shape, ω² = G M / s³ for side s.
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "masses",
     .kind = Kind::numbers,
     .fallback = "[1.0, 0.01, 0.01]",
     .meaning = "of the three bodies; stable while 27 (m₁m₂ + m₂m₃ + m₃m₁) < M²",
     .unit = "mass",
     .range = not_negative,
     .count = 3},
    length_key("side", "1.0", "of the triangle; its semi-major axis if the orbits are eccentric"),
    {.name = "eccentricity",
     .fallback = "0.0",
     .meaning = "of the orbits; 0: the triangle keeps its size; it starts at pericentre",
     .range = {.low = 0, .high = 1, .high_open = true}},
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto& m = arguments.numbers("masses");
  const double side = arguments.number("side"), e = arguments.number("eccentricity");
  const double mu = environment.G * (m[0] + m[1] + m[2]);
  require_attraction(mu, "masses");
  const double s = side * (1 - e);
  const double height = std::sqrt(3.0) / 2;
  const double spin = std::sqrt(mu * (1 + e) / (s * s * s));  // v = spin × x about the centre of mass, at pericentre

  InitialConditions made;
  Bodies& bodies = made.bodies;
  bodies.mass = m;
  bodies.position = {{0, 0, 0}, {s, 0, 0}, {s / 2, height * s, 0}};
  bodies.velocity = Vectors(3);
  recentre(bodies);
  for (std::size_t i = 0; i < 3; ++i) {
    bodies.velocity.x[i] = -spin * bodies.position.y[i];
    bodies.velocity.y[i] = spin * bodies.position.x[i];
  }
  made.timescale = 2 * pi * std::sqrt(side * side * side / mu);
  made.timescale_name = "period";
  return made;
}

}  // namespace

const InitialState lagrange_triangle{.name = "lagrange-triangle",
                                     .meaning = "three bodies at the corners of an equilateral triangle that turns",
                                     .references = {literature::lagrange1772},
                                     .parameters = parameters,
                                     .make = make};

}  // namespace orrery::sim
