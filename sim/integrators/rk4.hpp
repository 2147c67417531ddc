// SPDX-License-Identifier: MIT
// The classical Runge-Kutta method for x″ = a(x); the velocities of the stages are sums of accelerations.
#pragma once

#include "sim/integrator.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {

inline constexpr ScratchColumn rk4_columns[] = {
    {"start", false}, {"slope 1", false}, {"slope 2", false}, {"slope 3", false}, {"slope 4", false}};

inline constexpr Integrator rk4{.name = "rk4",
                                .meaning = "the classical Runge-Kutta method: fourth order, its energy drifts",
                                .order = 4,
                                .evaluations = 4,
                                .references = {literature::kutta1901},
                                .columns = rk4_columns,
                                .why_open = positions_bypass_walls,
                                .step = [](Backend& bodies, const Step& step) {
                                  constexpr Column x = Column::position, v = Column::velocity, a = Column::acceleration;
                                  constexpr Column x0 = scratch_column(0), a1 = scratch_column(1),
                                                   a2 = scratch_column(2), a3 = scratch_column(3),
                                                   a4 = scratch_column(4);
                                  const double dt = step.dt, h2 = dt * dt;
                                  bodies.accelerate();
                                  bodies.combine(x0, {{1, x}});
                                  bodies.combine(a1, {{1, a}});
                                  bodies.combine(x, {{1, x0}, {dt / 2, v}});
                                  bodies.accelerate();
                                  bodies.combine(a2, {{1, a}});
                                  bodies.combine(x, {{1, x0}, {dt / 2, v}, {h2 / 4, a1}});
                                  bodies.accelerate();
                                  bodies.combine(a3, {{1, a}});
                                  bodies.combine(x, {{1, x0}, {dt, v}, {h2 / 2, a2}});
                                  bodies.accelerate();
                                  bodies.combine(a4, {{1, a}});
                                  bodies.combine(x, {{1, x0}, {dt, v}, {h2 / 6, a1}, {h2 / 6, a2}, {h2 / 6, a3}});
                                  bodies.combine(v, {{1, v}, {dt / 6, a1}, {dt / 3, a2}, {dt / 3, a3}, {dt / 6, a4}});
                                }};

}  // namespace orrery::sim
