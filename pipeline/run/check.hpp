// SPDX-License-Identifier: MIT
// What a scenario will do and cost, without doing it.
#pragma once

#include <string>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/run_options.hpp"

namespace orrery::pipeline {

struct ScenarioCheck {
  Report facts;                       ///< bodies, steps, time, memory, file size, …
  std::vector<std::string> lines;     ///< a line for each picture, and for the members of a sweep
  std::vector<std::string> warnings;  ///< what will probably not go as it is meant
};

/// Reads and sets up the scenario, of a sweep every member, and measures a few steps. Writes nothing. Throws Error, exit code
/// 2, for what a run would refuse.
ScenarioCheck check(const RunOptions& options, Messages& messages);

}  // namespace orrery::pipeline
