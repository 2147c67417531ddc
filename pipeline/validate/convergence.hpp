// SPDX-License-Identifier: MIT
// How an error falls with the step: points from coarse to fine, and the line through those that theory speaks of.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace orrery::pipeline {

/// One run of so many steps over one and the same time.
struct Point {
  std::int64_t steps;
  double dt, error;
  double rounding;  ///< what of the error is rounding; 0 where the error is too large for it to count
  std::int64_t evaluations;
};

struct Convergence {
  std::vector<Point> points;   ///< all of them, coarse to fine
  int fitted = 0;              ///< how many the slope is of
  double slope = 0;            ///< of log error against log dt by least squares; not a number for fewer than six points
  double floor = 0;            ///< the greatest rounding in the points of the finest steps
  double first = 0, last = 0;  ///< steps dt of the first and the last point of the slope
};

/// Theory speaks of steps that are small enough for the leading term of the error and large enough for it not to drown in
/// rounding: of the seven finest whose error is above thirty times the rounding, and six at least. From one to the next the
/// error of order p falls by 10^0.6, or the step by 1.6 where that is less. It begins with `first` steps and ends in
/// rounding, where the error no longer falls for another reason, or with more than `most_evaluations`, which an order
/// below 3 does before.
/// An order above 8 meets rounding before h² is as good as nothing: its slope is that for h → 0, of p in
/// log error = C + p log h + c h², from errors above three hundred times the rounding.
Convergence converge(int order, std::int64_t first, std::int64_t most_evaluations,
                     const std::function<Point(std::int64_t steps)>& run,
                     const std::function<double(std::int64_t steps)>& rounding);

}  // namespace orrery::pipeline
