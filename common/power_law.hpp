// SPDX-License-Identifier: MIT
// Least-squares fits of lines and power laws.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery {

/// The slope of the line y(x) by least squares; NaN for fewer than two points.
inline double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mean_x += x[k] / n, mean_y += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - mean_x) * (y[k] - mean_y);
    xx += (x[k] - mean_x) * (x[k] - mean_x);
  }
  return xy / xx;
}

/// The exponent q of y ∝ x^q by a least-squares fit of the logarithms; x, y > 0.
inline double power_law(std::vector<double> x, std::vector<double> y) {
  for (auto* numbers : {&x, &y}) {
    for (double& number : *numbers) number = std::log(number);
  }
  return slope(x, y);
}

}  // namespace orrery
