// SPDX-License-Identifier: MIT
// Sources: CODATA 2018 for G; k = 10⁻⁷ c² m/F (exact until 2019, within 10⁻⁹ since); the Gaussian constant for
// astronomical units (G is its square); IAU 2015 resolution B3 (GM of the Sun) and the parsec of 648000/π au for
// galactic ones.
#include "sim/units.hpp"

namespace orrery::sim {

std::span<const Units> all_units() {
  static constexpr Units list[] = {
      {"nbody", 1.0, 1.0, "", "", ""},
      {"si", 6.67430e-11, 8.9875517873681764e9, "m", "s", "kg"},
      {"astronomical", 0.00029591220828559115, 0.0, "au", "d", "Msun"},
      {"galactic", 4.30091727003628e-06, 0.0, "kpc", "kpc s km-1", "Msun"},
  };
  return list;
}

std::optional<double> Units::coupling(Coupling constant) const {
  if (constant == Coupling::gravitational) return G;
  if (constant == Coupling::electric && k > 0) return k;
  return this == all_units().data() ? std::optional(1.0) : std::nullopt;
}

}  // namespace orrery::sim
