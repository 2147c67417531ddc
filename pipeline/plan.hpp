// SPDX-License-Identifier: MIT
// What a scenario will cost and whether it makes sense, before a step is taken.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/scenario.hpp"

namespace orrery::pipeline {

struct Plan {
  Report facts;
  std::vector<std::string> warnings;
};

/// Measures a few steps to estimate the time.
Plan make_plan(const Scenario& scenario, const Setup& setup);

/// Throws Error, exit code 2, where memory or the disk of `folder` cannot hold what the scenario asks for.
void refuse_impossible(const Scenario& scenario, const Setup& setup, const std::filesystem::path& folder);

/// Bytes of the trajectory's file, without its small parts.
double file_size(const Scenario& scenario, const Setup& setup);

}  // namespace orrery::pipeline
