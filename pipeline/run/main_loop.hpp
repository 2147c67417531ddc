// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/background_writer.hpp"
#include "pipeline/run/loop_control.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {

/// The state from which a run is resumed.
struct ResumePoint {
  sim::Snapshot state;
  sim::InitialEnergy first_energy;  ///< at step 0
  bool extremes;                    ///< whether the file stores extremes
};

struct SteppingResult {
  sim::Snapshot last;
  std::int64_t steps = 0;      ///< taken by this call
  std::int64_t own_steps = 0;  ///< those of an adaptive integrator
  double seconds = 0;
  bool finished = false;  ///< else it was stopped
};

/// Steps a run to its end and writes the scheduled rows and frames. The device takes the next steps while a background
/// thread writes and commits what was read back before.
class MainLoop {
 public:
  /// Starts from `origin`, or from step 0 if it is null. Progress is shown in a line of its own, or in that of
  /// `sweep_progress`. `backend` was made of the system of the model. All arguments must outlive the object.
  MainLoop(const sim::Model& model, const OutputPlan& output, sim::Backend& backend, TrajectoryWriter& trajectory,
           const ResumePoint* origin, Context& context, Progress* sweep_progress = nullptr, Observer observer = {});

  /// Must be called once. Stops early if the context is stopped. Throws Error if a state leaves
  /// the range of numbers, the device is lost or the file cannot be written. What was read back before is written.
  SteppingResult run();

 private:
  void read_back(Readback what);
  /// Passes the pending readback to the writer.
  void write_pending();
  void write(sim::Snapshot snapshot);
  void write_rows();
  /// Shows the observer the current state.
  void look();
  SteppingResult finish();
  void show_progress();
  /// Calls `work`. If it throws an Error, commits what was read back and adds the last committed step to the message.
  template <class Work>
  auto commit_on_error(const Work& work);
  void commit_remaining();
  /// Of the newest row, relative to `first_energy_`.
  [[nodiscard]] double energy_error() const;

  const std::int64_t steps_;
  const OutputPlan& output_;
  sim::Backend& backend_;
  TrajectoryWriter& trajectory_;
  Context& context_;
  sim::Simulation simulation_;
  std::optional<Progress> own_progress_{};
  Progress& progress_;
  bool resumed_;
  std::int64_t start_, own_start_;
  BackgroundWriter::SharedSnapshot last_{};  ///< the last snapshot with a state; shared with the writer's thread
  std::vector<BackgroundWriter::SharedSnapshot> rows_{};  ///< rows without a state since last_
  bool pending_ = false;                                  ///< a readback was requested and not written yet
  sim::InitialEnergy first_energy_;
  BackgroundWriter writer_;
  LoopControl control_;
};

}  // namespace orrery::pipeline
