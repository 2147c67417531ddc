// SPDX-License-Identifier: MIT
// The list of boundaries: one include and one entry each.
#pragma once

#include "sim/boundaries/open.hpp"
#include "sim/boundaries/periodic.hpp"
#include "sim/boundaries/reflecting.hpp"

namespace orrery::sim {

template <class... Kind>
struct BoundaryList {
  /// As a scenario names them.
  static constexpr std::string_view names[] = {Kind::kind.name...};
};

using Boundaries = BoundaryList<  //
    Open,                         //
    Periodic,                     //
    Reflecting>;

/// What the boundary of that index does, for kernels.
template <class... Kind>
ORRERY_EVERYWHERE Coordinate cross(BoundaryList<Kind...>, std::size_t index, Coordinate at, double low, double length) {
  std::size_t k = 0;
  Coordinate after = at;
  ((k++ == index ? static_cast<void>(after = Kind::cross(at, low, length)) : static_cast<void>(0)), ...);
  return after;
}

}  // namespace orrery::sim
