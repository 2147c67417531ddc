// SPDX-License-Identifier: MIT
// The leapfrog as drift-kick-drift, known as position Verlet.
#pragma once

#include "sim/integrator.hpp"

namespace orrery::sim {

inline constexpr Integrator leapfrog_dkd{
    .name = "leapfrog-dkd",
    .meaning = "drift-kick-drift (position Verlet): forces half-way through the step",
    .order = 2,
    .symplectic = true,
    .symmetric = true,
    .drifts_first = true,
    .evaluations = 1,
    .reference = "Tuckerman, Berne & Martyna 1992, J. Chem. Phys. 97, 1990",
    .step = [](Backend& bodies, const Step& step) {
      bodies.drift(step.dt / 2);
      bodies.accelerate();
      bodies.kick(step.dt);
      bodies.drift(step.dt / 2);
    }};

}  // namespace orrery::sim
