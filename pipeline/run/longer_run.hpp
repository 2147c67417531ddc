// SPDX-License-Identifier: MIT
// What makes a stored run longer: `orrery resume RUN.h5 --set integrator.time=20`.
#pragma once

#include <filesystem>
#include <optional>

#include "pipeline/run/run_options.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// The longer run, and the folder of its own file. Its frames and rows go on at the distances that they have.
struct LongerRun {
  Scenario scenario;
  std::filesystem::path folder;
};

/// The run that `options` make of the one in their source by setting integrator.time or integrator.steps; none where it sets
/// neither, or what the file has. The folder is the one that it names, else that of the run with the first number at its end, from
/// 2 on, that is free or holds the longer run already. Throws Error, exit code 2, where the run would be shorter,
/// or the options make another one of it.
std::optional<LongerRun> longer_run(const RunOptions& options);

}  // namespace orrery::pipeline
