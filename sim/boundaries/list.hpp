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

}  // namespace orrery::sim
