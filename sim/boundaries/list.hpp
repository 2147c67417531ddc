// SPDX-License-Identifier: MIT
// The list of boundary conditions, one include and one entry each.
#pragma once

#include "sim/boundaries/open.hpp"
#include "sim/boundaries/periodic.hpp"
#include "sim/boundaries/reflecting.hpp"

namespace orrery::sim {

template <class... Kind>
struct BoundaryList {
  /// The names in scenarios.
  static constexpr std::string_view names[] = {Kind::kind.name...};
};

using Boundaries = BoundaryList<  //
    Open,                         //
    Periodic,                     //
    Reflecting>;

/// Boundary::cross of the boundary with that index, for kernels.
template <class... Kind>
ORRERY_EVERYWHERE Coordinate cross(BoundaryList<Kind...>, std::size_t index, Coordinate at, double low, double length) {
  std::size_t k = 0;
  Coordinate after = at;
  ((k++ == index ? static_cast<void>(after = Kind::cross(at, low, length)) : static_cast<void>(0)), ...);
  return after;
}

}  // namespace orrery::sim
