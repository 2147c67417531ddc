// SPDX-License-Identifier: MIT
// The symplectic Euler method: velocities first, then positions with the new velocities.
#pragma once

#include "sim/integrator.hpp"

namespace orrery::sim {

inline constexpr Integrator symplectic_euler{
    .name = "symplectic-euler",
    .meaning = "kick, then drift: first order, but its energy does not drift away",
    .order = 1,
    .symplectic = true,
    .evaluations = 1,
    .reference = "Hairer, Lubich & Wanner, Geometric Numerical Integration, I.1.2",
    .step = [](Backend& bodies, const Step& step) {
      bodies.accelerate();
      bodies.kick(step.dt);
      bodies.drift(step.dt);
    }};

}  // namespace orrery::sim
