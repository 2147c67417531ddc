// SPDX-License-Identifier: MIT
// Sources: CODATA 2018 for G; k = 10⁻⁷ c² m/F (exact until 2019, within 10⁻⁹ since), 1 in Gaussian units (cgs); the Gaussian constant for
// astronomical units (G is its square). In the others G is IAU 2015 resolution B3 (GM of the Sun), with the au of 149597870700 m (IAU 2012
// B2), the parsec of 648000/π au (IAU 2015 B2) and the Julian year of 365.25 d, rounded once. gadget: the internal units of GADGET (Springel
// 2005, MNRAS 364, 1105) with h = 1.
#include "sim/units.hpp"

namespace orrery::sim {

std::span<const Units> all_units() {
  static constexpr Units list[] = {
      {"nbody", 1.0, 1.0, "", "", ""},
      {"si", 6.67430e-11, 8.9875517873681764e9, "m", "s", "kg", "C"},
      {"astronomical", 0.00029591220828559115, 0.0, "au", "d", "Msun"},
      {"galactic", 4.30091727003628e-06, 0.0, "kpc", "kpc s km-1", "Msun"},
      {"au-yr", 39.476926408897626, 0.0, "au", "yr", "Msun"},
      {"stellar", 0.004498502151469552, 0.0, "pc", "Myr", "Msun"},
      {"gadget", 43009.17270036279, 0.0, "kpc", "kpc s km-1", "10000000000 Msun"},
      {"cgs", 6.67430e-8, 1.0, "cm", "s", "g", "statC"},
  };
  return list;
}

std::optional<double> Units::coupling(Coupling constant) const {
  if (constant == Coupling::gravitational) return G;
  if (constant == Coupling::electric && k > 0) return k;
  return this == all_units().data() ? std::optional(1.0) : std::nullopt;
}

}  // namespace orrery::sim
