// SPDX-License-Identifier: MIT
// One line of what `orrery validate` says: what was measured, what theory or a reference allows, and why.
#pragma once

#include <string>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// What a measured number may be.
struct Bound {
  enum class Kind { at_most, at_least, within, shown };
  Kind kind = Kind::shown;
  double value = 0;
  double tolerance = 0;  ///< of `within`: |measured − value| ≤ tolerance

  static Bound at_most(double value) { return {Kind::at_most, value, 0}; }
  static Bound at_least(double value) { return {Kind::at_least, value, 0}; }
  static Bound within(double value, double tolerance) { return {Kind::within, value, tolerance}; }
  /// No bound follows: the number is there to be seen.
  static Bound none() { return {}; }

  /// What is not a number holds no bound.
  [[nodiscard]] bool holds(double measured) const;
  /// "≤ 1e-14", "4 ± 0.1"
  [[nodiscard]] std::string text() const;
  /// With as many digits as the bound gives a meaning to.
  [[nodiscard]] std::string measured_text(double measured) const;
};

struct Check {
  std::string suite, integrator, orbit;
  std::string what;
  double measured;
  Bound bound;
  std::string why;  ///< theory, or where the bound comes from; what went wrong, where there is no number

  [[nodiscard]] bool passed() const { return bound.holds(measured); }
};

/// Numbers as people read them: 4.02, 3.1e-15.
std::string in_short(double number);

/// One line a check, suite by suite, aligned; a failure says why it is one.
std::string table(const std::vector<Check>& checks);
/// A record a check.
std::vector<Arguments> records(const std::vector<Check>& checks);

}  // namespace orrery::pipeline
