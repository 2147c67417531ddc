// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace orrery::pipeline {

/// The error of a run at x, for example its step.
struct ErrorAt {
  double x, error;
  double rounding;  ///< estimated rounding error
  double most;      ///< errors from here on are too large for a power law
};

struct PowerFit {
  double slope;                     ///< p of error ∝ x^p
  double uncertainty;               ///< standard error of the slope by the residuals; NaN for two points
  std::vector<std::size_t> points;  ///< indices of the fitted points, ascending
  std::vector<double> errors;       ///< values of the fit at these points
};

/// Fits error = C x^p by least squares in logarithms; x must be positive and ascending. The finer end of x is the one
/// with smaller errors. The fit uses the longest run of consecutive points whose error
/// - is above 30 times its rounding and below its `most`,
/// - exceeds that of every finer point by at least the square root of their ratio in x: an error that no longer falls
///   is rounding or does not depend on x;
/// - is above five times the errors of finer points excluded by these rules, their floor, which is an uncertainty of the
///   others: points are weighted by it.
/// Of these points it takes the five finest, and drops the coarsest until it misses no point by more than 15 % and 1.5 times
/// the floor. Where more points are left without the finest ones, these are rounding, provided that they are above the line
/// through the others. Returns nullopt if fewer than three points remain.
///
/// If errors were measured against a run at `reference`, beyond the finer end, they include the error of that run: then
/// C |x^p − x_ref^p| is fitted, and two points are enough.
std::optional<PowerFit> power_fit(const std::vector<ErrorAt>& all, std::optional<double> reference = {});

}  // namespace orrery::pipeline
