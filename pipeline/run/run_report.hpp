// SPDX-License-Identifier: MIT
// What a trajectory file holds, as facts.
#pragma once

#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Bodies, frames, steps, energies, the state's hash, and where the run came from. Reads the rows of observables and the last
/// state, no frames.
Report run_report(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
