// SPDX-License-Identifier: MIT
#pragma once

namespace orrery::render {

/// Cubic Hermite interpolation from a to b at s in [0, 1]; u and w are the velocities at a and b times the interval.
template <class T>
T hermite(T s, T a, T u, T b, T w) {
  const T r = 1 - s;
  return (1 + 2 * s) * r * r * a + s * r * r * u + s * s * (3 - 2 * s) * b - s * s * r * w;
}

/// The derivative by s.
template <class T>
T hermite_slope(T s, T a, T u, T b, T w) {
  const T r = 1 - s;
  return 6 * s * r * (b - a) + r * (1 - 3 * s) * u + s * (3 * s - 2) * w;
}

}  // namespace orrery::render
