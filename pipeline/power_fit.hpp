// SPDX-License-Identifier: MIT
// The power law through errors of which some are rounding.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace orrery::pipeline {

/// A run's error at x. `rounding` is what of it may come from rounding, `most` the error from which on a power law says
/// nothing any more.
struct ErrorAt {
  double x, error, rounding, most;
};

struct PowerFit {
  double slope;                     ///< p of error ∝ x^p
  std::vector<std::size_t> points;  ///< that it is fitted to, rising
  std::vector<double> errors;       ///< of the fit at these points
};

/// Least squares in logarithms through errors over rising, positive x. What is fitted is a stretch of neighbouring points,
/// the longest, of those whose error
/// - is above 30 times its rounding and below its `most`,
/// - is greater than that of every finer point, by the square root of their ratio in x at least: where an error no longer
///   falls it is rounding, or something else that x does not decide;
/// - is above ten times the errors of finer points that this left out.
/// Of these the five finest count, but the coarsest is left out again and again while the fit misses a point by more than
/// 15 %: what does not go as a power has no slope. The finer end is the one where errors are less. Nothing for fewer than
/// three points.
///
/// Errors against a run at `reference`, beyond the finer end, have the error of that run in them: there C |x^p − x_ref^p|
/// is fitted, and two points are enough.
std::optional<PowerFit> power_fit(const std::vector<ErrorAt>& all, std::optional<double> reference = {});

}  // namespace orrery::pipeline
