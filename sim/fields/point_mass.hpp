// SPDX-License-Identifier: MIT
// A body that nothing moves: φ = −G M / √(r² + ε²), which is Plummer's sphere. Numbers: G M, ε², the centre.
#pragma once

#include "sim/fields/plummer_halo.hpp"

namespace orrery::sim {

struct PointMass : PlummerHalo {
  static const FieldLaw law;
};

}  // namespace orrery::sim
