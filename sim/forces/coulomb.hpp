// SPDX-License-Identifier: MIT
// Coulomb's law: c and u of gravity, with charges as sources and the target_factor −k q/m, so that like charges repel.
#pragma once

#include "sim/forces/gravity.hpp"

namespace orrery::sim {

/// s = −k q/m; 0 for bodies without charge, even without mass. Throws BodyArgumentError for a charge without mass.
std::vector<double> response_by_charge(const Bodies& bodies, double k);

struct Coulomb {
  using Interaction = Gravity;

  static const ForceLaw law;
};

}  // namespace orrery::sim
