// SPDX-License-Identifier: MIT
// What a run is asked for: its scenario, where it goes, and what of the scenario is set otherwise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"

namespace orrery::pipeline {

class Progress;

struct RunOptions {
  std::filesystem::path source;  ///< the scenario (a file, "-", a picture), or the trajectory to go on with
  std::optional<std::filesystem::path> output{};  ///< the folder; none: named after the scenario
  std::vector<std::string> overrides{};           ///< "integrator.dt=1e-4", as --set has it
  bool force = false;                             ///< what is there may be replaced
  std::optional<std::int64_t> task{};             ///< one member of a sweep, counted from 0
  std::string command_line{};                     ///< for provenance
  std::string label{};                            ///< opens the line that says what came of a run
  Progress* progress = nullptr;                   ///< of something longer that this is a part of

  /// What the files that it writes may replace.
  [[nodiscard]] Replacing replacing() const { return force ? Replacing::anything : Replacing::ours; }
};

}  // namespace orrery::pipeline
