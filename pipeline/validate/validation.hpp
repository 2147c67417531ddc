// SPDX-License-Identifier: MIT
// Selects tasks and runs them on threads; results come in a fixed order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/validate/suites.hpp"

namespace orrery::pipeline {

/// What to validate; an empty list selects all.
struct Selection {
  std::vector<std::string> suites{}, integrators{}, orbits{};
  bool quick = false;
};

/// Returns the selected tasks. Throws Error, Fault::request, if a name is unknown or no task is left.
std::vector<Task> planned(const Selection& selection);

/// Runs the tasks on `threads` threads. `show(done)` is called every 20 ms, by the calling thread only, with the share
/// of tasks that are done; if it returns true, the remaining tasks are skipped. A task that throws becomes a check that
/// fails.
Findings carry_out(const std::vector<Task>& tasks, const Conditions& conditions, int threads,
                   const std::function<bool(double done)>& show);

}  // namespace orrery::pipeline
