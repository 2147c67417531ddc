// SPDX-License-Identifier: MIT
// Bodies at random in a cube: masses, positions and velocities uniform and independent.
#include "sim/initial_states/list.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "n",
     .kind = Kind::integer,
     .fallback = "6",
     .meaning = "number of bodies",
     .range = {.low = 1, .high = 1e8}},
    {.name = "half_width",
     .fallback = "5.0",
     .meaning = "the cube is [−half_width, half_width]³",
     .unit = "length",
     .range = positive},
    {.name = "mass",
     .kind = Kind::numbers,
     .fallback = "[1.0, 10.0]",
     .meaning = "least and greatest mass",
     .unit = "mass",
     .range = not_negative,
     .count = 2},
    {.name = "velocity",
     .kind = Kind::numbers,
     .fallback = "[-1.0, 1.0]",
     .meaning = "least and greatest velocity along each axis",
     .unit = "length/time",
     .count = 2},
    {.name = "charge",
     .kind = Kind::numbers,
     .example = "[-1.0, 1.0]",
     .meaning = "least and greatest charge, for the force coulomb",
     .unit = "charge",
     .count = 2,
     .optional = true},
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto n = static_cast<std::size_t>(arguments.integer("n"));
  const double h = arguments.number("half_width");
  const auto &mass = arguments.numbers("mass"), &velocity = arguments.numbers("velocity");
  if (mass[0] > mass[1]) throw ArgumentError("mass", "the least comes first: [lowest, highest]");
  if (velocity[0] > velocity[1]) throw ArgumentError("velocity", "the least comes first: [lowest, highest]");

  InitialConditions made;
  Bodies& bodies = made.bodies;
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Seven numbers a body, so that body i is the same whatever n is.
    const auto draw = [&](double low, double high, std::uint64_t which) {
      return environment.random.between(low, high, 7 * i + which);
    };
    bodies.mass.push_back(draw(mass[0], mass[1], 0));
    bodies.position.push_back(draw(-h, h, 1), draw(-h, h, 2), draw(-h, h, 3));
    bodies.velocity.push_back(draw(velocity[0], velocity[1], 4), draw(velocity[0], velocity[1], 5),
                              draw(velocity[0], velocity[1], 6));
    total += bodies.mass.back();
  }
  if (arguments.has("charge")) {
    const auto& charge = arguments.numbers("charge");
    if (charge[0] > charge[1]) throw ArgumentError("charge", "the least comes first: [lowest, highest]");
    constexpr std::uint64_t beyond = std::uint64_t{1} << 63;  // all else is the same with charges and without
    for (std::size_t i = 0; i < n; ++i) {
      bodies.charge.push_back(environment.random.between(charge[0], charge[1], beyond + i));
    }
  }
  if (environment.G * total > 0) {
    made.timescale = std::sqrt(8 * h * h * h / (environment.G * total));  // √(L³/GM) for the cube's edge L
    made.timescale_name = "crossing time";
  }
  return made;
}

}  // namespace

const InitialState random_cube{.name = "random-cube",
                               .meaning = "bodies at random in a cube, as in every course on N-body codes",
                               .parameters = parameters,
                               .random = true,
                               .make = make};

}  // namespace orrery::sim
