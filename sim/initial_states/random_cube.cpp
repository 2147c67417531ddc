// SPDX-License-Identifier: MIT
// Masses, positions and velocities uniform and independent; in a plane, without z.
#include "sim/initial_states/list.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    count_key("6", "number of bodies"),
    length_key("half_width", "5.0", "the cube is [−half_width, half_width]³; in a plane, a square"),
    {.name = "mass",
     .kind = Kind::numbers,
     .fallback = "[1.0, 10.0]",
     .meaning = "minimum and maximum mass",
     .unit = "mass",
     .range = not_negative,
     .count = 2},
    {.name = "velocity",
     .kind = Kind::numbers,
     .fallback = "[-1.0, 1.0]",
     .meaning = "minimum and maximum velocity along each axis",
     .unit = "length/time",
     .count = 2},
    {.name = "charge",
     .kind = Kind::numbers,
     .example = "[-1.0, 1.0]",
     .meaning = "minimum and maximum charge, for the force coulomb",
     .unit = "charge",
     .count = 2,
     .optional = true},
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const auto n = static_cast<std::size_t>(arguments.integer("n"));
  const double h = arguments.number("half_width");
  const auto interval = [&](std::string_view key) -> const std::vector<double>& {
    const auto& ends = arguments.numbers(key);
    if (ends[0] > ends[1]) throw ArgumentError(key, "the lower limit must come first: [lowest, highest]");
    return ends;
  };
  const auto &mass = interval("mass"), &velocity = interval("velocity");

  InitialConditions made;
  Bodies& bodies = made.bodies;
  const bool flat = environment.domain.dimensions == 2;
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Seven numbers per body, in a plane too, so that body i does not depend on n.
    const auto draw = [&](double low, double high, std::uint64_t which) {
      return environment.random.between(low, high, 7 * i + which);
    };
    bodies.mass.push_back(draw(mass[0], mass[1], 0));
    bodies.position.push_back(draw(-h, h, 1), draw(-h, h, 2), flat ? 0 : draw(-h, h, 3));
    bodies.velocity.push_back(draw(velocity[0], velocity[1], 4), draw(velocity[0], velocity[1], 5),
                              flat ? 0 : draw(velocity[0], velocity[1], 6));
    total += bodies.mass.back();
  }
  if (arguments.has("charge")) {
    const auto& charge = interval("charge");
    constexpr std::uint64_t beyond = std::uint64_t{1}
                                     << 63;  // masses, positions and velocities do not depend on charges
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
                               .meaning = "bodies at random in a cube, or in a square of a plane",
                               .parameters = parameters,
                               .random = true,
                               .make = make};

}  // namespace orrery::sim
