// SPDX-License-Identifier: MIT
// Yoshida's eighth order: fifteen leapfrogs, his solution D.
#pragma once

#include "sim/integrators/composition.hpp"

namespace orrery::sim {

inline constexpr Integrator yoshida8{.name = "yoshida8",
                                     .meaning = "fifteen leapfrogs of unequal lengths (solution D): eighth order",
                                     .order = 8,
                                     .symplectic = true,
                                     .symmetric = true,
                                     .evaluations = 15,
                                     .reference = "Yoshida 1990, Phys. Lett. A 150, 262",
                                     .step = [](Backend& bodies, const Step& step) {
                                       constexpr double w1 = 0.102799849391985, w2 = -1.96061023297549,
                                                        w3 = 1.93813913762276, w4 = -0.158240635368243,
                                                        w5 = -1.44485223686048, w6 = 0.253693336566229,
                                                        w7 = 0.914844246229740;
                                       constexpr double w0 = 1 - 2 * (w1 + w2 + w3 + w4 + w5 + w6 + w7);
                                       take_leapfrogs(bodies, step, {w7, w6, w5, w4, w3, w2, w1, w0});
                                     }};

}  // namespace orrery::sim
