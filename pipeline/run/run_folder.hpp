// SPDX-License-Identifier: MIT
// A run and the folder it lives in: what is there already decides what is left to do.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/run_options.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// When the pictures of a run are drawn: always, never, or unless a summary says that all is done.
enum class Draw { always, never, unless_done };

/// The file of the run that is asked for by its scenario, which was found as `source`.
std::filesystem::path trajectory_of(const RunOptions& options, const ScenarioText& source, const Scenario& scenario);

class RunFolder {
 public:
  /// Reads the scenario and looks into its folder. Throws Error, exit code 2, where the folder holds other physics and may
  /// not be replaced; nothing is written yet.
  RunFolder(const RunOptions& options, const ScenarioText& source, Messages& messages);
  /// Reads the trajectory that is the source and the scenario in it. Where the options make that run longer, this one
  /// has a folder of its own and begins with what the trajectory holds. Throws Error, exit code 2, where it cannot be gone on
  /// with, or its overrides change anything else of the physics.
  static RunFolder of_trajectory(const RunOptions& options, Messages& messages);

  /// Steps whatever is left to step, draws every figure and film, says what came of it, and leaves the summary. Returns
  /// the exit code.
  int complete(Draw wanted);
  /// Throws Error, exit code 2, where complete(wanted) would write over a file that orrery did not write and may not replace.
  void refuse_to_replace(Draw wanted) const;
  /// Whether nothing is left to do: the trajectory is finished, a summary says so, and the pictures, if they are `wanted`,
  /// are those that the scenario asks for.
  [[nodiscard]] bool done(bool wanted) const;
  /// Where the trajectory is, or will be.
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// The figures of the scenario that show all members of its sweep, as Pictures has them.
  [[nodiscard]] std::vector<std::string> tables_of_sweep() const;
  /// Interactions of the whole run.
  [[nodiscard]] double work() const { return interactions(scenario_, setup_); }

 private:
  enum class Found { nothing, unfinished, finished };
  /// `place` is the file of a run that is `resumed`, else the folder of the run.
  RunFolder(const RunOptions& options, Scenario scenario, const std::filesystem::path& place, bool resumed,
            Messages& messages);
  /// What is there already; refuses what may not be touched.
  [[nodiscard]] Found look();
  /// The same of a trajectory; its physics are ours, and its frames where nobody says otherwise.
  [[nodiscard]] Found look_into();
  /// Throws Error, exit code 2, that says how to have at least the run of a picture.
  void refuse_absent_runs() const;
  /// Makes the folder, and takes the file away that is to be replaced.
  void make_room() const;
  /// Makes the file, of what that of the shorter run holds.
  void begin_as_the_shorter(RunRecord record) const;
  /// Returns the signal that stopped it, or 0.
  int simulate();
  /// What was drawn before a signal came.
  [[nodiscard]] std::vector<std::filesystem::path> draw() const;
  /// Says the hash of the final state and how far it is reproducible.
  void conclude() const;

  RunOptions options_;
  Messages& messages_;
  Scenario scenario_;
  Setup setup_;
  Pictures pictures_;
  bool resumed_;  ///< as a trajectory, not as a scenario
  std::filesystem::path file_;
  std::filesystem::path shorter_{};  ///< the file of the run that this one begins as; empty: none
  Summary summary_;
  Found found_;
};

}  // namespace orrery::pipeline
