// SPDX-License-Identifier: MIT
// Forest and Ruth's fourth order: drifts and kicks with one number θ, the middle ones backward.
#pragma once

#include "sim/integrators/composition.hpp"

namespace orrery::sim {

inline constexpr Integrator forest_ruth{.name = "forest-ruth",
                                        .meaning = "yoshida4 with drifts for kicks: fourth order",
                                        .order = 4,
                                        .symplectic = true,
                                        .symmetric = true,
                                        .drifts_first = true,
                                        .evaluations = 3,
                                        .reference = "Forest & Ruth 1990, Physica D 43, 105",
                                        .step = [](Backend& bodies, const Step& step) {
                                          constexpr double theta = 1.3512071919596576340;  // 1/(2 − 2^(1/3))
                                          bodies.drift(theta / 2 * step.dt);
                                          kick_here(bodies, theta * step.dt);
                                          bodies.drift((1 - theta) / 2 * step.dt);
                                          kick_here(bodies, (1 - 2 * theta) * step.dt);
                                          bodies.drift((1 - theta) / 2 * step.dt);
                                          kick_here(bodies, theta * step.dt);
                                          bodies.drift(theta / 2 * step.dt);
                                        }};

}  // namespace orrery::sim
