// SPDX-License-Identifier: MIT
// The main loop: from a set-up to a trajectory file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/background_writer.hpp"
#include "pipeline/run/loop_control.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {

/// Where a run goes on from.
struct Origin {
  sim::Snapshot state;
  double first_energy;    ///< at step 0
  double watched_energy;  ///< the same, or 0 where it is but rounding
  bool extremes;          ///< the file has room for them
};

/// How stepping ended.
struct Stepping {
  sim::Snapshot last;
  std::int64_t steps = 0;  ///< taken now
  double seconds = 0;
  double energy_error = 0;  ///< (E − E₀)/|E₀| at the end
  int signal = 0;           ///< that asked to stop before the end; 0: the run is finished
};

/// Steps a run to its end and writes what the schedules ask for. A device takes the next steps while what was read back is
/// written and committed by another thread.
class MainLoop {
 public:
  /// Goes on from `origin`; from the beginning where it is null. How far it has come is shown in a line of its own, or in
  /// that of the `whole`. All arguments must outlive it.
  MainLoop(const Scenario& scenario, const Setup& setup, sim::Backend& backend, TrajectoryWriter& trajectory,
           const Origin* origin, Messages& messages, Progress* whole = nullptr);

  /// Stops early where an Interrupt, the caller's, has noted a signal. Once. Throws Error where a state leaves the range of
  /// numbers, a device is lost or a file cannot be written; what was read back before is in the file then.
  Stepping run();

 private:
  void begin();
  void advance(std::int64_t steps);
  void read_back(Readback what);
  /// Gives what was read back last to the writer, which the device does not wait for.
  void write();
  void write(sim::Snapshot snapshot);
  void write_rows();
  Stepping finish();
  void show_progress();
  /// Does `work`; where that fails, what was read back before is made safe, and the Error says up to which step.
  template <class Work>
  auto or_make_safe(const Work& work);
  void make_safe();
  [[nodiscard]] double energy_error() const;

  const Setup& setup_;
  sim::Backend& backend_;
  TrajectoryWriter& trajectory_;
  const Origin* origin_;
  sim::Simulation simulation_;
  std::optional<Progress> own_progress_{};
  Progress& progress_;
  Progress* whole_;
  std::int64_t start_;
  double interactions_;                      ///< of an evaluation
  BackgroundWriter::SharedSnapshot last_{};  ///< read back last with its state; the writer's thread shares it
  std::vector<BackgroundWriter::SharedSnapshot> rows_{};  ///< read back since, without one
  bool pending_ = false;                                  ///< something was read back that is not written yet
  double first_energy_ = 0;
  BackgroundWriter writer_;
  LoopControl control_;
};

}  // namespace orrery::pipeline
