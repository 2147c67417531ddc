// SPDX-License-Identifier: MIT
// The lists of force laws: one include and one entry each; every backend compiles its loops for all of them.
#pragma once

#include "sim/forces/coulomb.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/forces/inverse_power.hpp"
#include "sim/forces/lennard_jones.hpp"
#include "sim/forces/repulsive.hpp"
#include "sim/forces/soft.hpp"
#include "sim/forces/wca.hpp"

namespace orrery::sim {

template <class... Law>
struct LawList {};

using Laws = LawList<  //
    Gravity,           //
    Coulomb,           //
    InversePower>;

/// Those with a cutoff.
using ShortRangeLaws = LawList<  //
    Repulsive,                   //
    LennardJones,                //
    Wca,                         //
    Soft>;

}  // namespace orrery::sim
