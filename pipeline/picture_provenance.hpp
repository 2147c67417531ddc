// SPDX-License-Identifier: MIT
// What a picture of a trajectory says of the run.
#pragma once

#include "pipeline/trajectory.hpp"
#include "render/provenance.hpp"

namespace orrery::pipeline {

/// Version as `orrery --version` says it, state as `orrery info` says it, and the scenario with every default.
render::Provenance provenance_of(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
