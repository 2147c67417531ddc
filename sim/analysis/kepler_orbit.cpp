// SPDX-License-Identifier: MIT
// Kepler's equation M = E − e sin E by Newton's method.
#include "sim/analysis/kepler_orbit.hpp"

#include <cmath>

namespace orrery::sim {

RelativeOrbit kepler_orbit(double mu, double semi_major_axis, double eccentricity, double t) {
  using std::cos, std::sin, std::sqrt;
  const long double a = semi_major_axis, e = eccentricity, n = sqrt(static_cast<long double>(mu) / (a * a * a));
  const long double turn = 2 * std::acos(-1.0L), mean = std::remainder(n * t, turn);
  long double E = mean + e * (mean < 0 ? -1 : 1);  // on the side from which Newton's steps never overshoot far
  for (int k = 0; k < 60; ++k) E -= (E - e * sin(E) - mean) / (1 - e * cos(E));
  const long double b = a * sqrt(1 - e * e), rate = n / (1 - e * cos(E));
  return {{static_cast<double>(a * (cos(E) - e)), static_cast<double>(b * sin(E)), 0},
          {static_cast<double>(-a * sin(E) * rate), static_cast<double>(b * cos(E) * rate), 0}};
}

}  // namespace orrery::sim
