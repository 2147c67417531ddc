// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"

namespace orrery::pipeline {

/// Options of a single run.
struct RunOptions {
  std::filesystem::path source;  ///< the scenario (a file, "-", a picture), or the trajectory to resume
  std::optional<std::filesystem::path> output{};  ///< the folder; default: named after the scenario
  std::vector<std::string> overrides{};           ///< as given to --set: "integrator.dt=1e-4"
  bool force = false;                             ///< replace existing files
  std::string command_line{};                     ///< stored as provenance

  /// Returns which files the run may replace.
  [[nodiscard]] Replacing replacing() const { return force ? Replacing::anything : Replacing::ours; }
};

}  // namespace orrery::pipeline
