// SPDX-License-Identifier: MIT
// The box that bodies move in, and what its ends do to a way that goes through them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace orrery::render {

/// Space without an end, unless it says otherwise.
struct Bounds {
  int dimensions = 3;                   ///< of two, z is 0
  std::array<double, 3> low{}, high{};  ///< where an axis that is closed ends
  std::array<bool, 3> closed{};         ///< no body is beyond
  std::array<bool, 3> joined{};         ///< closed, and the two ends are one place

  [[nodiscard]] bool any() const { return closed[0] || closed[1] || closed[2]; }
  /// Closed along each axis that it has: there is an area, or a volume.
  [[nodiscard]] bool full() const { return closed[0] && closed[1] && (closed[2] || dimensions == 2); }
  [[nodiscard]] bool any_joined() const { return joined[0] || joined[1] || joined[2]; }
  /// The length of a joined axis, 0 of another.
  [[nodiscard]] double period(std::size_t axis) const { return joined[axis] ? high[axis] - low[axis] : 0; }
};

/// A difference of coordinates along an axis of that period, 0 for none, to the nearest image.
inline double nearest(double difference, double period) {
  return period > 0 ? difference - period * std::round(difference / period) : difference;
}

/// How many lengths of the axis lie between the box and the image of it that `x` is in; 0 where it is not joined, or there is no
/// telling.
inline double laps_of(const Bounds& bounds, std::size_t axis, double x) {
  const double period = bounds.period(axis), laps = period > 0 ? std::floor((x - bounds.low[axis]) / period) : 0;
  return std::isfinite(laps) ? laps : 0;
}

/// Where somebody is who went straight on to `x`: on a joined axis the place in the box, on another closed one no further than
/// its end.
inline double back_in(const Bounds& bounds, std::size_t axis, double x) {
  if (!bounds.closed[axis] || !std::isfinite(x)) return x;
  const double in = x - laps_of(bounds, axis, x) * bounds.period(axis);
  return std::clamp(in, bounds.low[axis], bounds.high[axis]);
}

}  // namespace orrery::render
