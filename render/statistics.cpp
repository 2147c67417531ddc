// SPDX-License-Identifier: MIT
#include "render/statistics.hpp"

#include <cmath>

namespace orrery::render {

Interval most_of(std::vector<double>& values, double share) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {0, 1};
  const Interval range{percentile(values, share), percentile(values, 1 - share)};
  if (range.high > range.low) return range;
  const double around = range.low != 0 ? 0.5 * std::abs(range.low) : 0.5;
  return {range.low - around, range.low + around};
}

}  // namespace orrery::render
