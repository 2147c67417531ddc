// SPDX-License-Identifier: MIT
// Yoshida's fourth order: three leapfrogs, the middle one backward, whose errors of third order cancel.
#pragma once

#include "sim/integrators/composition.hpp"

namespace orrery::sim {

inline constexpr Integrator yoshida4{.name = "yoshida4",
                                     .meaning = "three leapfrogs of w₁, w₀, w₁ steps with 2w₁³ + w₀³ = 0: fourth order",
                                     .order = 4,
                                     .symplectic = true,
                                     .symmetric = true,
                                     .evaluations = 3,
                                     .reference = "Yoshida 1990, Phys. Lett. A 150, 262",
                                     .step = [](Backend& bodies, const Step& step) {
                                       constexpr double w1 = 1.3512071919596576340;  // 1/(2 − 2^(1/3))
                                       constexpr double w0 = 1 - 2 * w1;
                                       take_leapfrogs(bodies, step, {w1, w0});
                                     }};

}  // namespace orrery::sim
