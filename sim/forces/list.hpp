// SPDX-License-Identifier: MIT
// The list of force laws: one include and one entry each; every backend compiles its loops for all of them.
#pragma once

#include "sim/forces/coulomb.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/forces/inverse_power.hpp"

namespace orrery::sim {

template <class... Law>
struct LawList {};

using Laws = LawList<  //
    Gravity,           //
    Coulomb,           //
    InversePower>;

}  // namespace orrery::sim
