// SPDX-License-Identifier: MIT
// What `orrery bench` can measure: the list of suites, and how their results are given.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/report.hpp"
#include "pipeline/stage.hpp"

namespace orrery::pipeline {

struct Suite {
  std::string_view name, meaning;
  /// Returns the exit code; throws Error.
  int (*run)(const Request& request);
};

extern const Suite forces_suite, trajectory_suite;

/// Every suite; the first is the usual one.
std::span<const Suite* const> suites();

/// Prints the facts and the text behind them; all facts as JSON where that is asked for, printed or into a file.
void give(const Request& request, const Report& report, const std::string& text);

}  // namespace orrery::pipeline
