// SPDX-License-Identifier: MIT
// The lists of force laws, one include and one entry each; backends compile their pair loops for all of them.
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

/// Laws with a cutoff.
using ShortRangeLaws = LawList<  //
    Repulsive,                   //
    LennardJones,                //
    Wca,                         //
    Soft>;

}  // namespace orrery::sim
