// SPDX-License-Identifier: MIT
// The systems of units. Sources: CODATA 2018 for G; the Gaussian constant k for astronomical units (G = k²);
// IAU 2015 resolution B3 (GM of the Sun) and the parsec of 648000/π au for galactic ones.
#include "pipeline/units.hpp"

namespace orrery::pipeline {

std::span<const Units> all_units() {
  static constexpr Units list[] = {
      {"nbody", 1.0, "", "", ""},
      {"si", 6.67430e-11, "m", "s", "kg"},
      {"astronomical", 0.00029591220828559115, "au", "d", "M☉"},
      {"galactic", 4.30091727003628e-06, "kpc", "kpc s/km", "M☉"},
  };
  return list;
}

}  // namespace orrery::pipeline
