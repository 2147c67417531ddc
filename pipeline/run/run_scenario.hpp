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
/// Returns the exit code; throws Error, with exit code 2 before anything is written.
int run_scenario(const ScenarioOptions& options, Messages& messages);

/// Resumes the trajectory `options.source`, or makes it longer, and draws its pictures. Otherwise as run_scenario.
int resume(const RunOptions& options, Messages& messages);

}  // namespace orrery::pipeline
