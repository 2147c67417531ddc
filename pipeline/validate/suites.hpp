// SPDX-License-Identifier: MIT
// The suites of `orrery validate`: each plans independent tasks, which run on several threads.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/validate/check.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// A curve of a chart.
struct Series {
  std::string chart;  ///< name of the chart (tests/tools/validation_page.cpp)
  std::string name;   ///< of the curve
  std::vector<double> x, y;
};

/// The result of a task.
struct Findings {
  std::vector<Check> checks{};
  std::vector<Series> series{};
};

/// Common input of all tasks.
struct Conditions {
  Context& context;
  bool quick = false;
  std::function<std::unique_ptr<sim::Backend>(sim::System)> make;
};

/// An independent measurement. `work` may throw Error.
struct Task {
  std::string suite, integrator, orbit;
  std::function<Findings(const Conditions&)> work;
};

struct ValidationSuite {
  std::string_view name, meaning;
  /// Adds the suite's tasks for all integrators. `Task::suite` is filled in later.
  void (*plan)(bool quick, std::vector<Task>& tasks);
};

extern const ValidationSuite order_suite, own_steps_suite, work_suite, reversal_suite, long_run_suite, closure_suite,
    orbits_suite, rounding_suite;

/// All suites, in the order of the table.
std::span<const ValidationSuite* const> validation_suites();

}  // namespace orrery::pipeline
