// SPDX-License-Identifier: MIT
// The stage from a set-up to a trajectory file: step, append, commit, show.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// What the file says of this run.
RunRecord make_record(const Scenario& scenario, const Setup& setup, const ChosenBackend& chosen,
                      const std::string& pictures, const std::string& command_line);

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

/// Steps to the end, from `origin` (null: the beginning), and writes what the schedules ask for. Stops early where an
/// Interrupt, the caller's, has noted a signal. How far it has come is shown in a line of its own, or in that of the
/// `whole`.
Stepping step_through(const Scenario& scenario, const Setup& setup, sim::Backend& backend, TrajectoryWriter& trajectory,
                      const Origin* origin, bool quiet, Progress* whole = nullptr);

/// XXH3 of positions and velocities, the six arrays of doubles one after the other, as 16 hexadecimal digits.
std::string state_hash(const sim::Snapshot& state);

}  // namespace orrery::pipeline
