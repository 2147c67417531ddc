// SPDX-License-Identifier: MIT
// What `orrery bench` can measure: the list of suites, and how their results are given.
#pragma once

#include <span>
#include <string_view>

#include "pipeline/stage.hpp"

namespace orrery::pipeline {

struct Suite {
  std::string_view name, meaning;
  /// Returns the exit code; throws Error.
  int (*run)(const Request& request);
  bool has_quick = false;  ///< it knows what to leave out for --quick
};

extern const Suite forces_suite, short_range_suite, trajectory_suite, render_suite;

/// Every suite; the first is the usual one.
std::span<const Suite* const> suites();

}  // namespace orrery::pipeline
