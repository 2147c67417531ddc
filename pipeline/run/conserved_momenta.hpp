// SPDX-License-Identifier: MIT
// Which momenta a run conserves, so that their changes are errors.
#pragma once

#include <vector>

#include "pipeline/trajectory/trajectory.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"

namespace orrery::pipeline {

struct ConservedMomenta {
  enum class Angular { none, about_z, all };
  bool momentum = false;
  Angular angular = Angular::none;
};

/// Walls change momenta, a box is not isotropic, and a field conserves the angular momentum about the axes of its symmetry only.
/// A heat bath changes all of them.
ConservedMomenta conserved_momenta(const sim::Domain& domain, const std::vector<sim::ExternalField>& fields, bool bath);
/// The same of a run that is there. If its forces are no longer known, the domain decides.
ConservedMomenta conserved_momenta(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
