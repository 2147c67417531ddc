// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline {

struct CheckOptions {
  std::filesystem::path source;          ///< the scenario: a file, "-" or a picture
  std::vector<std::string> overrides{};  ///< as given to --set
};

struct ScenarioCheck {
  Report facts;                       ///< bodies, steps, time, memory, file size, …
  std::vector<std::string> lines;     ///< one for each picture and each of the first members of a sweep
  std::vector<std::string> warnings;  ///< probable mistakes
};

/// Reads and sets up the scenario, or every member of its sweep, and measures a few steps to estimate the cost of the
/// run. Writes nothing. Throws Error, Fault::request, for everything that a run would refuse.
ScenarioCheck check(const CheckOptions& options, Context& context);

}  // namespace orrery::pipeline
