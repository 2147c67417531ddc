// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace orrery::sim {

/// Softened inward acceleration by a shell of unit mass and radius s at distance r: −d/dr of the mean of 1/√(|r − s|² + ε²).
inline double pull_of_shell(double r, double s, double epsilon2) {
  constexpr double small = 1e-6;  // of squares; the next terms of the series are as small
  const double r2 = r * r, s2 = s * s, from_shell = s2 + epsilon2, from_centre = r2 + epsilon2;
  if (s2 < small * from_centre) return r / (from_centre * std::sqrt(from_centre));
  if (r2 < small * from_shell) return r * epsilon2 / (from_shell * from_shell * std::sqrt(from_shell));
  const double far = std::sqrt((r + s) * (r + s) + epsilon2), near = std::sqrt((r - s) * (r - s) + epsilon2);
  return ((far - near) / r - (r + s) / far + (near > 0 ? (r - s) / near : 0)) / (2 * r * s);
}

}  // namespace orrery::sim
