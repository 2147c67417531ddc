// SPDX-License-Identifier: MIT
// The leapfrog as kick-drift-kick, known as velocity Verlet.
#pragma once

#include "sim/integrator.hpp"

namespace orrery::sim {

inline constexpr Integrator leapfrog{.name = "leapfrog",
                                     .meaning = "kick-drift-kick (velocity Verlet): the standard of N-body work",
                                     .order = 2,
                                     .symplectic = true,
                                     .symmetric = true,
                                     .evaluations = 1,
                                     .reference = "Verlet 1967, Phys. Rev. 159, 98",
                                     .step = [](Backend& bodies, const Step& step) {
                                       bodies.accelerate();  // known from the step before, but for the first
                                       bodies.kick(step.dt / 2);
                                       bodies.drift(step.dt);
                                       bodies.accelerate();
                                       bodies.kick(step.dt / 2);
                                     }};

}  // namespace orrery::sim
