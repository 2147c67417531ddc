// SPDX-License-Identifier: MIT
// Ranges that a stray body does not spoil.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "render/chart/ticks.hpp"

namespace orrery::render {

/// The value below which a `share` (0 … 1) of `values` lies; there must be one. Puts `values` in another order.
template <class T>
T percentile(std::vector<T>& values, double share) {
  const auto i = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + i, values.end());
  return values[static_cast<std::size_t>(i)];
}

/// The least and the greatest of `values` without the outermost `share` at either end, so that a stray body
/// does not take all colours for itself; never empty. Leaves `values` in another order.
Interval most_of(std::vector<double>& values, double share = 0.01);

}  // namespace orrery::render
