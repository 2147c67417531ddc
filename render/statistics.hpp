// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "render/chart/ticks.hpp"

namespace orrery::render {

/// Returns the value below which a fraction `share` (0 … 1) of `values`, which must not be empty, lies. Reorders `values`.
/// O(N).
template <class T>
T percentile(std::vector<T>& values, double share) {
  const auto i = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + i, values.end());
  return values[static_cast<std::size_t>(i)];
}

/// Returns percentile() of those `values` that are finite and greater than `above`, for each of `shares`; empty if there are
/// none. O(N) on all threads, without copying them (statistics.cpp).
std::vector<float> percentiles(const std::vector<float>& values, float above, const std::vector<double>& shares);

/// Widens a range of a single value.
inline Interval widened(Interval range) {
  if (range.high > range.low) return range;
  const double around = range.low != 0 ? 0.5 * std::abs(range.low) : 0.5;
  return {range.low - around, range.low + around};
}

/// Returns the range of the finite `values` without a fraction `share` at either end, so that outliers do not dominate a colour
/// scale; never empty. Reorders `values` and removes those that are not finite.
inline Interval robust_range(std::vector<double>& values, double share = 0.01) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {0, 1};
  return widened({percentile(values, share), percentile(values, 1 - share)});
}

/// The same for many values, which stay as they are.
inline Interval robust_range(const std::vector<float>& values, double share = 0.01) {
  const std::vector<float> ends = percentiles(values, -std::numeric_limits<float>::infinity(), {share, 1 - share});
  return ends.empty() ? Interval{0, 1} : widened({static_cast<double>(ends[0]), static_cast<double>(ends[1])});
}

}  // namespace orrery::render
