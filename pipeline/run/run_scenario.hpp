// SPDX-License-Identifier: MIT
// What `run` and `simulate` do: a scenario as one run, or its sweep one member after the other.
#pragma once

#include "pipeline/stage.hpp"

namespace orrery::pipeline {

/// Steps the scenario, its sweep, or the one member that --task names; with `pictures`, draws them. What is done
/// already is not done again. Returns the exit code; throws Error, with exit code 2 before anything is written.
int run_scenario(const Request& request, bool pictures);

}  // namespace orrery::pipeline
