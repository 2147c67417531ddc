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
  /// A body's coordinate along an axis of the box, after it has moved: what every backend makes of it.
  [[nodiscard]] Coordinate cross(std::size_t axis, Coordinate at) const {
    return boundary[axis]->cross(at, low[axis], edges[axis]);
  }
  friend bool operator==(const Domain&, const Domain&) = default;
};

/// Lengths of a box, where it has any, and how much further than that it may lie from the origin: more than enough for any
/// unit, and few enough for coordinates in it to keep six digits of its length.
inline constexpr double least_edge = 1e-100, greatest_edge = 1e100, furthest_low = 1e9;

/// Throws ArgumentError, with the name of the member (dimensions, boundary, low, edges) at fault, where it is no domain.
void check(const Domain& domain);

}  // namespace orrery::sim
