// SPDX-License-Identifier: MIT
// Figures and films of stored runs: as their scenario has them, or one figure of several runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/messages.hpp"

namespace orrery::pipeline {

struct RenderOptions {
  std::vector<std::filesystem::path> runs;  ///< trajectories, or folders of runs: at least one
  std::optional<std::filesystem::path>
      output{};                          ///< a folder, or a file where there is one picture; none: beside the run
  std::vector<std::string> overrides{};  ///< of keys of [[figure]] and [[film]]
  std::string figure{};                  ///< the kind of the one to draw; empty: those of the scenario
  std::string against{};                 ///< what that one is drawn over; empty: as the kind has it
  std::string frames{};                  ///< "a:b", "a:b:k"; empty: all of them
  bool preview = false;                  ///< small and quick, under names of their own
  bool follow = false;                   ///< figures again and again until the run is finished, then all
  Replacing replacing = Replacing::ours;
};

/// Draws them. Returns the signal that stopped it, or 0. Throws Error: exit code 2 for what is asked wrongly.
int render(const RenderOptions& options, Messages& messages);

}  // namespace orrery::pipeline
