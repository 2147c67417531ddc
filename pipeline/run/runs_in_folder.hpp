// SPDX-License-Identifier: MIT
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
  std::string folder;                    ///< its name: "003"
  std::string task{};                    ///< the number of the folder, "3", or a name, different for each run
  std::filesystem::path file{};          ///< the trajectory
  std::string scenario{};                ///< the TOML text; empty: the file is unreadable
  std::vector<std::string> overrides{};  ///< of --set and of the sweep
  Keys written{};  ///< the keys that decide the bits as the scenario writes them, dt = "1/100 period"; empty: unknown

  [[nodiscard]] bool readable() const { return !scenario.empty(); }
  [[nodiscard]] bool numbered() const;
};

struct RunsInFolder {
  std::vector<FolderRun> runs;  ///< sorted by task
  Sweep sweep;                  ///< of which all runs are members; has no members if there is none
};

/// Returns the runs in `folder` and in its subfolders, and the sweep they belong to. Membership follows from the files
/// alone. If the subfolders have numbers, the sweep is the one of the first run: of the scenarios there, the one whose
/// [sweep] has this run and most others as members. A run is a member if its scenario agrees with that of the member
/// with its number, except for keys that change no bit (title, pictures, threads), so that `orrery run` would not
/// repeat it. A warning names the other runs, which are left out, each unreadable file, and subfolders without a run.
/// Throws Error, Fault::request, if there are no runs.
RunsInFolder runs_in(const std::filesystem::path& folder, Messages& messages);

/// The same for trajectories and folders, at least one; the runs of several form no sweep. Throws Error if one of these
/// trajectories cannot be read.
RunsInFolder runs_of(const std::vector<std::filesystem::path>& operands, Messages& messages);

/// Returns the values of overrides by key, with keys as plain_key spells them; an empty text for one of --unset.
Keys values_of(const std::vector<std::string>& overrides);

/// Returns the keys (plain_key) of the sweep of `scenario` of which runs with these overrides, at least one, are all members;
/// empty if there is none.
std::vector<std::string> swept_keys(const std::string& scenario,
                                    const std::vector<std::vector<std::string>>& overrides);

/// Returns the overrides of a run: those of --set and of its sweep.
std::vector<std::string> overrides_of(const RunRecord& record);

}  // namespace orrery::pipeline
