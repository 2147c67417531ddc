// SPDX-License-Identifier: MIT
// Coulomb's law: c and u of gravity, with charges as sources and the target_factor −k q/m, so that like charges repel.
#pragma once

#include "sim/forces/gravity.hpp"

namespace orrery::sim {

struct Coulomb {
  using Interaction = Gravity;

  static const ForceLaw law;
};

}  // namespace orrery::sim
