// SPDX-License-Identifier: MIT
// What `orrery validate` checks: suites plan tasks, which threads carry out side by side.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/validate/check.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// Numbers for a chart.
struct Series {
  std::string chart;  ///< which one of drawing.hpp
  std::string name;   ///< of the curve
  std::vector<double> x, y;
};

/// What came of a task.
struct Findings {
  std::vector<Check> checks;
  std::vector<Series> series;
};

/// What every task is given.
struct Context {
  bool quick = false;
  std::function<std::unique_ptr<sim::Backend>(sim::System)> make;
};

/// Work on its own: no task knows of another. `work` throws Error.
struct Task {
  std::string suite, integrator, orbit;
  std::function<Findings(const Context&)> work;
};

struct ValidationSuite {
  std::string_view name, meaning;
  /// Adds its tasks, for every integrator in the list.
  void (*plan)(bool quick, std::vector<Task>& tasks);
};

extern const ValidationSuite order_suite, own_steps_suite, work_suite, reversal_suite, long_run_suite, closure_suite,
    orbits_suite, rounding_suite;

/// Every suite, in the order of the table.
std::span<const ValidationSuite* const> validation_suites();

}  // namespace orrery::pipeline
