// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "sim/boundary.hpp"

namespace orrery::sim {

/// A coordinate that would cross more than max_crossings times.
inline constexpr double lost_coordinate = std::numeric_limits<double>::quiet_NaN();

/// What becomes of that coordinate. Velocity and image stay.
ORRERY_EVERYWHERE Coordinate lost(const Coordinate& before) {
  return {lost_coordinate, before.v, before.image};
}

}  // namespace orrery::sim
