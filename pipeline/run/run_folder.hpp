// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/context.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/loop_control.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

class Progress;
struct ChosenBackend;
struct SteppingResult;

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

/// When the pictures of a run are drawn: always, never, or unless summary.json says that they are done.
enum class Draw { always, never, unless_done };

/// A run and its folder. What the folder already holds decides what is left to do: the same physics is not computed
/// twice, and other physics is not overwritten without --force.
class RunFolder {
 public:
  /// Reads the scenario and inspects its folder without writing. Throws Error, Fault::request, if the folder holds a run
  /// with other physics that may not be replaced.
  RunFolder(const RunOptions& options, const ScenarioText& source, Context& context);
  /// Of a scenario that has been read or given, in this folder.
  RunFolder(const RunOptions& options, Scenario scenario, const std::filesystem::path& folder, Context& context)
      : RunFolder(options, std::move(scenario), folder, false, context) {}
  /// Reads the trajectory `options.source` and the scenario in it. If the overrides make the run longer, the longer run
  /// gets its own folder and starts as a copy. Throws Error, Fault::request, if the run cannot be resumed or the overrides
  /// change other physics.
  static RunFolder of_trajectory(const RunOptions& options, Context& context);

  /// Before complete(): who watches the steps, and where they are computed.
  void observe(Observer observer) { observer_ = std::move(observer); }
  void compute_on(BackendRequest backend) { scenario_.backend = std::move(backend); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const sim::Model& model() const { return setup_.model; }
  /// Takes the remaining steps, draws figures and films, reports the final state and writes the summary. `label` starts
  /// that report; `sweep_progress` replaces the progress line of the run. Returns whether it is complete, rather than stopped.
  bool complete(Draw draw, const std::string& label = "", Progress* sweep_progress = nullptr);
  /// Returns whether nothing is left to do: the trajectory is finished, the summary exists and, if `pictures` are
  /// wanted, they are those of the scenario.
  [[nodiscard]] bool done(bool pictures) const;
  /// Returns the path of the trajectory, which may not exist yet.
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// Throws Error, Fault::request, if complete(draw) would overwrite a file that orrery did not write and may not replace, or if a
  /// picture cannot be drawn. Runs in `to_come` will be there by then.
  void refuse_pictures(Draw draw, const RunsToCome& to_come = {}) const;
  /// Throws Error, Fault::request, if a figure of the whole sweep is to be drawn, but this member does not end at its `time`.
  void refuse_rounded_end(Draw draw) const;
  /// Throws Error, Fault::request, if its backend is absent or lacks the kernel or precision.
  void refuse_unavailable_backend() const;
  /// Returns the outline of the run.
  [[nodiscard]] RunOutline outline() const { return outline_of(scenario_, setup_, file_); }
  /// Returns the figures of the scenario that show all members of its sweep, as Pictures does.
  [[nodiscard]] std::vector<Picture> sweep_figures() const { return pictures_.sweep_figures(); }
  [[nodiscard]] const Pictures& pictures() const { return pictures_; }
  /// Returns the number of interactions of the whole run.
  [[nodiscard]] double work() const { return setup_.work(); }

 private:
  enum class Existing { nothing, unfinished, finished };
  /// `place` is the trajectory if the run is `resumed`, else the folder.
  RunFolder(const RunOptions& options, Scenario scenario, const std::filesystem::path& place, bool resumed,
            Context& context);
  [[nodiscard]] Existing inspect_folder();
  [[nodiscard]] Existing inspect_trajectory();
  void check_other_runs(const RunsToCome& to_come) const;
  /// Creates the folder and removes files that will be replaced.
  void prepare_folder() const;
  /// Creates the trajectory with the frames and rows of the shorter run.
  void copy_shorter_run(RunRecord record) const;
  /// Returns whether the run is finished, rather than stopped; then `finished` reads it.
  bool simulate(Progress* sweep_progress, std::optional<TrajectoryReader>& finished);
  /// Returns the pictures drawn before a signal arrived.
  [[nodiscard]] std::vector<std::filesystem::path> draw_pictures(const TrajectoryReader& trajectory) const;
  void report_stepping(const ChosenBackend& chosen, const SteppingResult& stepping) const;
  void report_state(const TrajectoryReader& trajectory, const sim::Snapshot& last, const std::string& label) const;

  RunOptions options_;
  Observer observer_{};
  Context& context_;
  Scenario scenario_;
  Setup setup_;
  Pictures pictures_;
  bool resumed_;  ///< the source is a trajectory, not a scenario
  std::filesystem::path file_;
  std::filesystem::path shorter_{};  ///< the run that this one extends; empty: none
  Summary summary_;
  Existing existing_;
  EnergyErrors errors_{};  ///< of the finished run
};

}  // namespace orrery::pipeline
