// SPDX-License-Identifier: MIT
// Pictures of several runs carry the scenarios of all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/run/sweep.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// A run that a picture shows, as the picture carries it.
struct CarriedRun {
  std::string name{};      ///< of its folder
  std::string scenario{};  ///< as the file of the run has it; with all defaults if that needs other files
  std::vector<std::string> overrides{};
  std::string file{};   ///< name of its trajectory
  std::string state{};  ///< hash; empty: unknown
};

/// Returns what a picture of the runs in these files carries, with different names. They are those of their files or folders if these
/// differ, since pictures may show them, else numbers.
std::vector<CarriedRun> carried_runs(const std::vector<std::filesystem::path>& files);

/// Returns them as [[run]] tables.
std::string to_toml(const std::vector<CarriedRun>& runs);

/// Throws Error, Fault::request, if a text is that of a picture of several runs.
void refuse_several(const ScenarioText& source);

/// Returns the members of the [sweep] of a scenario (see parse_sweep) or of the [[run]] tables in the text of a picture,
/// whose first tables become Sweep::pictures; `overrides` are those of --set. Throws Error, Fault::request.
Sweep members_of(const ScenarioText& source, const std::vector<std::string>& overrides);

}  // namespace orrery::pipeline
