// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/run/run_folder.hpp"

namespace orrery::pipeline {

/// Options of `run` and `simulate`.
struct ScenarioOptions : RunOptions {
  std::optional<std::int64_t> task{};  ///< run one member of the sweep, counted from 0
  bool pictures = true;
};

/// Runs a scenario, all members of its sweep, or the member `options.task`. Work that is already done is not repeated.
/// Returns whether it came to its end, rather than was stopped; throws Error, Fault::request before anything is written.
bool run_scenario(const ScenarioOptions& options, Context& context);

/// Resumes the trajectory `options.source`, or makes it longer, and draws its pictures. Otherwise as run_scenario.
bool resume(const RunOptions& options, Context& context);

}  // namespace orrery::pipeline
