// SPDX-License-Identifier: MIT
// Masses 3, 4 and 5, each opposite the side of that length: Burrau 1913, Astron. Nachr. 195, 113; first integrated to
// its end by Szebehely & Peters 1967, Astron. J. 72, 876.
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"

#include <cmath>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "mass", .fallback = "1.0", .meaning = "unit of the masses 3, 4 and 5", .unit = "mass", .range = positive},
    length_key("length", "1.0", "unit of the sides 3, 4 and 5"),
};

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const double m = arguments.number("mass"), d = arguments.number("length");
  InitialConditions made;
  Bodies& bodies = made.bodies;
  bodies.mass = {3 * m, 4 * m, 5 * m};
  bodies.position = {{d, 3 * d, 0}, {-2 * d, -d, 0}, {d, -d, 0}};
  bodies.velocity = Vectors(3);
  if (const double mu = environment.G * m; mu > 0) {
    constexpr double M = 12, e = 2 * (12.0 / 5 + 15.0 / 4 + 20.0 / 3);               // 2|E| for G m = d = 1
    made.timescale = std::sqrt(M * M * M * M * M / (e * e * e * mu) * (d * d * d));  // G M^(5/2) / (2|E|)^(3/2)
    made.timescale_name = "crossing time";
  }
  return made;
}

}  // namespace

const InitialState pythagorean{.name = "pythagorean",
                               .meaning = "masses 3, 4 and 5 at rest on a triangle of sides 3, 4 and 5; one is ejected",
                               .references = {literature::burrau1913, literature::szebehely1967},
                               .parameters = parameters,
                               .make = make};

}  // namespace orrery::sim
