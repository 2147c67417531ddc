// SPDX-License-Identifier: MIT
// Order of convergence: errors for decreasing steps, and the slope in the asymptotic range.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace orrery::pipeline {

/// A run of `steps` steps; all runs cover the same time.
struct Point {
  std::int64_t steps;
  double dt, error;
  std::int64_t evaluations;  ///< of forces
  double rounding = 0;       ///< part of the error due to rounding; 0 if negligible
};

struct Convergence {
  std::vector<Point> points;   ///< coarse to fine
  int fitted = 0;              ///< number of points in the fit
  double slope = 0;            ///< of log error against log dt by least squares; NaN for fewer than six points
  double floor = 0;            ///< rounding error at the finest step
  double first = 0, last = 0;  ///< dt of the first and the last point in the fit
};

/// Fits the seven (at least six) finest points whose error is above 30 times the rounding: there the leading term of
/// the error dominates. Between points the error of order p falls by 10^0.6, or the step by 1.6 if that is less. Starts
/// with `first` steps and stops when the error reaches rounding, no longer falls, or a run would need more than
/// `max_evaluations`. Above order 8, h² is not yet negligible where rounding begins: the slope is p in log error = C +
/// p log h + c h², from errors above 300 times the rounding.
Convergence converge(int order, std::int64_t first, std::int64_t max_evaluations,
                     const std::function<Point(std::int64_t steps)>& run,
                     const std::function<double(std::int64_t steps)>& rounding);

}  // namespace orrery::pipeline
