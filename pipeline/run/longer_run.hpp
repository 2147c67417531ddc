// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// A longer version of a stored run and the folder for it. Frames and rows continue at their present distances.
struct LongerRun {
  Scenario scenario;
  std::filesystem::path folder;
};

/// Returns the longer run if `overrides` set integrator.time or integrator.steps to another value than `file` has:
/// `orrery resume RUN.h5 --set integrator.time=20`. The folder is `output` or, without it, that of the run with the
/// first suffix -2, -3, … that is free or already holds this longer run. Throws Error, Fault::request, if the run would be
/// shorter or the overrides change other physics.
std::optional<LongerRun> longer_run(const std::filesystem::path& file, std::vector<std::string> overrides,
                                    const std::optional<std::filesystem::path>& output,
                                    const std::shared_ptr<const sim::PlugIns>& plug_ins = {});

}  // namespace orrery::pipeline
