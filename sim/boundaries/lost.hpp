// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "sim/boundary.hpp"

namespace orrery::sim {

/// What becomes of a coordinate that would cross more than max_crossings times. Velocity and image stay.
ORRERY_EVERYWHERE Coordinate lost(const Coordinate& before) {
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  return {not_a_number, before.v, before.image};
}

}  // namespace orrery::sim
