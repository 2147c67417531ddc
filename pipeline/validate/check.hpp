// SPDX-License-Identifier: MIT
// A line of the output of `orrery validate`: a measured number and its bound.
#pragma once

#include <string>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// The values that a measured number may have.
struct Bound {
  enum class Kind { at_most, at_least, within, shown };
  Kind kind = Kind::shown;
  double value = 0;
  double tolerance = 0;  ///< of `within`: |measured − value| ≤ tolerance

  static Bound at_most(double value) { return {Kind::at_most, value, 0}; }
  static Bound at_least(double value) { return {Kind::at_least, value, 0}; }
  static Bound within(double value, double tolerance) { return {Kind::within, value, tolerance}; }
  /// No bound; the number is only printed.
  static Bound none() { return {}; }

  /// False for NaN, unless there is no bound.
  [[nodiscard]] bool holds(double measured) const;
  /// "≤ 1e-14", "4 ± 0.1"
  [[nodiscard]] std::string text() const;
  /// With as many digits as the bound makes significant.
  [[nodiscard]] std::string measured_text(double measured) const;
};

struct Check {
  std::string what;
  double measured;
  Bound bound;
  std::string why;                             ///< source of the bound; the error message if the measurement failed
  std::string integrator{}, orbit{}, suite{};  ///< empty: those of the task

  [[nodiscard]] bool passed() const { return bound.holds(measured); }
};

/// Short decimal text: 4.02, 3.1e-15.
std::string in_short(double number);

/// An aligned line per check, grouped by suite; failures with their reason.
std::string table(const std::vector<Check>& checks);
/// For JSON: a record per check.
std::vector<Arguments> records(const std::vector<Check>& checks);

}  // namespace orrery::pipeline
