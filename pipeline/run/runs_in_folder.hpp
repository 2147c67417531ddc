// SPDX-License-Identifier: MIT
// The runs that lie in folders side by side, and which of them are members of one sweep.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

struct FolderRun {
  std::string folder;          ///< its name: "003"
  std::string task;            ///< the number of that folder, "3", or its name where that is no number
  std::filesystem::path file;  ///< the trajectory
  std::string scenario;        ///< as the run was given it; empty: the file could not be read
  std::vector<std::string> overrides;
  Keys
      written;  ///< what decides the bits of the run, as its scenario says it: "1/100 period" of a dt; empty: not known

  [[nodiscard]] bool readable() const { return !scenario.empty(); }
  [[nodiscard]] bool numbered() const;
};

struct RunsInFolder {
  std::vector<FolderRun> runs;  ///< by their tasks
  Sweep sweep;                  ///< that all of them are members of; without members: they are of none
};

/// The runs in the folders within `folder`. Where these have numbers, the sweep is that of the first of them: of the texts
/// that runs there were made from, the one with a [sweep] that this run and the most others are members of. A run is a
/// member if its scenario says what that of the member with its number says, but for what changes no bit (title, pictures,
/// threads): then `orrery run` would not run it again. Others are left out, which one line on stderr says, with the reason
/// and what to do; so is there a line for each file that cannot be read. Throws Error, exit code 2, where there are no runs.
RunsInFolder runs_in(const std::filesystem::path& folder, Messages& messages);

/// --set and values of a sweep by their keys in one spelling (plain_key).
Keys values_of(const std::vector<std::string>& overrides);

/// The keys, in one spelling, in which these runs are members of a sweep; empty where they are of none.
std::vector<std::string> swept_keys(const std::vector<const RunRecord*>& runs);

/// The lines of --set that a run was made with, those of its sweep among them.
std::vector<std::string> overrides_of(const RunRecord& record);

}  // namespace orrery::pipeline
