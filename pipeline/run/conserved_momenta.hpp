// SPDX-License-Identifier: MIT
// Which momenta a run conserves, so that their changes are errors.
#pragma once

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

struct ConservedMomenta {
  enum class Angular { none, about_z, all };
  bool momentum = false;
  Angular angular = Angular::none;
};

/// From boundaries, external fields and heat bath: walls change momenta, a box is not isotropic, and a field conserves
/// the angular momentum about the axes of its symmetry only. None, if the forces of the run are no longer known.
ConservedMomenta conserved_momenta(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
