// SPDX-License-Identifier: MIT
// Yoshida's sixth order: seven leapfrogs, his solution A.
#pragma once

#include "sim/integrators/composition.hpp"

namespace orrery::sim {

inline constexpr Integrator yoshida6{
    .name = "yoshida6",
    .meaning = "seven leapfrogs of unequal lengths (solution A): sixth order",
    .order = 6,
    .symplectic = true,
    .symmetric = true,
    .evaluations = 7,
    .reference = "Yoshida 1990, Phys. Lett. A 150, 262; more digits in Hairer, Lubich & Wanner, V.3.2",
    .step = [](Backend& bodies, const Step& step) {
      take_leapfrogs(bodies, step,
                     {0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695, 1.31518632068391121889});
    }};

}  // namespace orrery::sim
