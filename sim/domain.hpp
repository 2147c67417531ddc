// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "sim/boundaries/open.hpp"

namespace orrery::sim {

/// The simulated part of space and its boundary conditions; unbounded by default. In two dimensions the third axis is
/// open.
struct Domain {
  int dimensions = 3;  ///< 2 or 3; in two, every z is 0
  std::array<const Boundary*, 3> boundary{&Open::kind, &Open::kind, &Open::kind};
  std::array<double, 3> low{};    ///< lower corner of the box
  std::array<double, 3> edges{};  ///< its lengths; 0 along an open axis without a length

  /// True if no axis has a boundary, even if there is a box.
  [[nodiscard]] bool is_open() const { return boundary == Domain().boundary; }
  /// True if any axis is periodic, so that bodies have images.
  [[nodiscard]] bool is_periodic() const {
    return boundary[0]->periodic || boundary[1]->periodic || boundary[2]->periodic;
  }
  /// Lengths of the periodic axes, 0 for the others, as `nearest_image` takes them.
  [[nodiscard]] std::array<double, 3> periods() const {
    std::array<double, 3> all{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (boundary[axis]->periodic) all[axis] = edges[axis];
    }
    return all;
  }
  /// Area or volume; 0 if any axis has no length.
  [[nodiscard]] double volume() const { return edges[0] * edges[1] * (dimensions == 3 ? edges[2] : 1.0); }
  /// Applies the boundary condition of an axis to a body's coordinate after a drift.
  [[nodiscard]] Coordinate cross(std::size_t axis, Coordinate at) const {
    return boundary[axis]->cross(at, low[axis], edges[axis]);
  }
  friend bool operator==(const Domain&, const Domain&) = default;
};

/// The difference d of two coordinates in a periodic box, to the nearest image; d itself if the period is 0. A
/// difference of exactly half a period is left as it is.
ORRERY_EVERYWHERE double nearest_image(double d, double period) {
  const double half = 0.5 * period;
  if (period > 0 && d > half) return d - period;
  if (period > 0 && d < -half) return d + period;
  return d;
}

/// Throws ArgumentError with the invalid member's name (dimensions, boundary, low, edges).
void check(const Domain& domain);

}  // namespace orrery::sim
