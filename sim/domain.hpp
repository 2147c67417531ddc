// SPDX-License-Identifier: MIT
// The part of space that a run goes on in: how many dimensions, and along each axis where it ends and what is there.
#pragma once

#include <array>
#include <cstddef>

#include "sim/boundaries/open.hpp"

namespace orrery::sim {

/// Space without an end, unless it says otherwise. The entries of an axis that it does not have are those of an open one.
struct Domain {
  int dimensions = 3;  ///< 2 or 3; in two, every z is 0
  std::array<const Boundary*, 3> boundary{&Open::kind, &Open::kind, &Open::kind};
  std::array<double, 3> low{};    ///< where the box begins, and
  std::array<double, 3> edges{};  ///< how long it is; 0 along an open axis that has no length

  /// Nothing is in the way of a body, whether or not a box is told of.
  [[nodiscard]] bool is_open() const { return boundary == Domain().boundary; }
  /// Along some axis the two ends are one place: bodies have images.
  [[nodiscard]] bool is_joined() const { return boundary[0]->joined || boundary[1]->joined || boundary[2]->joined; }
  /// Lengths of the joined axes, 0 for the others: what `nearest_image` takes.
  [[nodiscard]] std::array<double, 3> periods() const {
    std::array<double, 3> all{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (boundary[axis]->joined) all[axis] = edges[axis];
    }
    return all;
  }
  /// Area or volume; 0 where some axis has no length.
  [[nodiscard]] double volume() const { return edges[0] * edges[1] * (dimensions == 3 ? edges[2] : 1.0); }
  /// A body's coordinate along an axis of the box, after it has moved: what every backend makes of it.
  [[nodiscard]] Coordinate cross(std::size_t axis, Coordinate at) const {
    return boundary[axis]->cross(at, low[axis], edges[axis]);
  }
  friend bool operator==(const Domain&, const Domain&) = default;
};

/// A difference of two coordinates within a box of that period, to the nearest image; as it is where the period is 0. Half of a
/// period, which is exact, belongs to either side.
ORRERY_EVERYWHERE double nearest_image(double d, double period) {
  const double half = 0.5 * period;
  if (period > 0 && d > half) return d - period;
  if (period > 0 && d < -half) return d + period;
  return d;
}

/// Lengths of a box, where it has any, and how much further than that it may lie from the origin: more than enough for any
/// unit, and few enough for coordinates in it to keep six digits of its length.
inline constexpr double least_edge = 1e-100, greatest_edge = 1e100, furthest_low = 1e9;

/// Throws ArgumentError, with the name of the member (dimensions, boundary, low, edges) at fault, where it is no domain.
void check(const Domain& domain);

}  // namespace orrery::sim
