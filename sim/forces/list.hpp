// SPDX-License-Identifier: MIT
// The list of force laws: one include and one entry each; every backend compiles its loops for all of them.
#pragma once

#include "sim/forces/gravity.hpp"

namespace orrery::sim {

template <class... Law>
struct LawList {};

using Laws = LawList<  //
    Gravity>;

}  // namespace orrery::sim
