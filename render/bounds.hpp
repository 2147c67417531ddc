// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace orrery::render {

/// The box that bodies move in; by default open along all axes.
struct Bounds {
  int dimensions = 3;                   ///< 2: z is always 0
  std::array<double, 3> low{}, high{};  ///< the ends of closed axes
  std::array<bool, 3> closed{};         ///< periodic, or with walls
  std::array<bool, 3> periodic{};

  [[nodiscard]] bool any() const { return closed[0] || closed[1] || closed[2]; }
  /// Returns whether all axes are closed, so that there is a finite volume (area in two dimensions).
  [[nodiscard]] bool full() const { return closed[0] && closed[1] && (closed[2] || dimensions == 2); }
  [[nodiscard]] bool any_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }
  /// Returns the period of an axis, 0 if it is not periodic.
  [[nodiscard]] double period(std::size_t axis) const { return periodic[axis] ? high[axis] - low[axis] : 0; }
};

/// Returns a difference of coordinates to the nearest image; `period` 0: not periodic.
inline double nearest(double difference, double period) {
  return period > 0 ? difference - period * std::round(difference / period) : difference;
}

/// Returns the index of the periodic image of the box that contains `x`; 0 if the axis is not periodic or `x` is not finite.
inline double image_index(const Bounds& bounds, std::size_t axis, double x) {
  const double period = bounds.period(axis), laps = period > 0 ? std::floor((x - bounds.low[axis]) / period) : 0;
  return std::isfinite(laps) ? laps : 0;
}

/// Wraps an unwrapped coordinate into the box along a periodic axis, and clamps it between walls.
inline double wrapped_coordinate(const Bounds& bounds, std::size_t axis, double x) {
  if (!bounds.closed[axis] || !std::isfinite(x)) return x;
  const double in = x - image_index(bounds, axis, x) * bounds.period(axis);
  return std::clamp(in, bounds.low[axis], bounds.high[axis]);
}

}  // namespace orrery::render
