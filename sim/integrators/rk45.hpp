// SPDX-License-Identifier: MIT
// Dormand and Prince's Runge-Kutta method of order 5 with an error estimate of order 4, which chooses its steps.
#pragma once

#include "sim/integrator.hpp"

namespace orrery::sim {

inline constexpr WorkVector rk45_columns[] = {
    {.name = "begin position", .persistent = true},
    {.name = "begin velocity", .persistent = true},
    {.name = "slope 1", .persistent = true},
    {.name = "slope 2", .persistent = true},
    {.name = "slope 3", .persistent = true},
    {.name = "slope 4", .persistent = true},
    {.name = "slope 5", .persistent = true},
    {.name = "slope 6", .persistent = true},
    {.name = "slope 7", .persistent = true},
    {.name = "error of position", .persistent = false},
    {.name = "error of velocity", .persistent = false},
};

inline constexpr Parameter rk45_parameters[] = {
    {.name = "tolerance",
     .fallback = "1e-9",
     .meaning = "error of a step, of positions and velocities relative to half of what they span; 0: steps of dt",
     .range = {.low = 0, .high = 1, .high_open = true}}};

void step_with_rk45(Backend& bodies, const Step& step);
void advance_with_rk45(Backend& bodies, Clock& clock, const AdvanceGoal& goal);

inline constexpr Integrator rk45{
    .name = "rk45",
    .meaning = "Dormand and Prince's method in steps of its own choice: fifth order, frames by its interpolant",
    .order = 5,
    .symplectic = false,
    .evaluations = 6,
    .reference = "Dormand & Prince 1980, J. Comput. Appl. Math. 6, 19; Shampine 1986, Math. Comput. 46, 135",
    .columns = rk45_columns,
    .parameters = rk45_parameters,
    .least_accuracy = 1e-15,
    .why_open = passes_walls,
    .step = step_with_rk45,
    .advance_to = advance_with_rk45};

}  // namespace orrery::sim
