// SPDX-License-Identifier: MIT
// What `run` and `simulate` do: a scenario as one run, or its sweep one member after the other.
#pragma once

#include "pipeline/messages.hpp"
#include "pipeline/run/run_options.hpp"

namespace orrery::pipeline {

/// Steps the scenario, its sweep, or the one member that `options.task` names; with `pictures`, draws them. What is done
/// already is not done again. Returns the exit code; throws Error, with exit code 2 before anything is written.
int run_scenario(const RunOptions& options, bool pictures, Messages& messages);

/// Goes on with the trajectory `options.source` where it stopped, or makes the run longer, and draws its pictures. The same
/// results.
int resume(const RunOptions& options, Messages& messages);

}  // namespace orrery::pipeline
