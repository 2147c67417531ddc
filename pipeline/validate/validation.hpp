// SPDX-License-Identifier: MIT
// From a choice of integrators and orbits to findings: tasks on threads, their results in a fixed order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/validate/suites.hpp"

namespace orrery::pipeline {

/// What to validate; an empty list is all of them.
struct Selection {
  std::vector<std::string> suites{}, integrators{}, orbits{};
  bool quick = false;
};

/// The tasks that are asked for. Throws Error, exit code 2, where a name is not known or nothing is left.
std::vector<Task> planned(const Selection& selection);

/// Carries them out on so many threads. `show(done, task)` is called now and then, by this thread alone, with the share
/// of tasks that are done; where it returns true the others are left out. A task that fails is a check that fails.
Findings carry_out(const std::vector<Task>& tasks, const Context& context, int threads,
                   const std::function<bool(double done)>& show);

}  // namespace orrery::pipeline
