// SPDX-License-Identifier: MIT
#pragma once

#include "sim/elementary.hpp"

namespace orrery::sim {

/// x^y for x > 0, not subnormal, with the same bits everywhere; relative error below 10⁻¹⁵·(1 + |y ln x|).
inline double to_power(double x, double y) {
  return exponential(y * natural_log(x));
}

}  // namespace orrery::sim
