// SPDX-License-Identifier: MIT
// Coulomb's law: gravity's c and u with charges for sources, to which a body responds with −k q/m, so that like charges
// repel. The operations and their range are those of gravity.
#pragma once

#include "sim/forces/gravity.hpp"

namespace orrery::sim {

struct Coulomb {
  using Interaction = Gravity;

  static const ForceLaw law;
};

}  // namespace orrery::sim
