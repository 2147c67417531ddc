// SPDX-License-Identifier: MIT
// The Runge-Kutta method of order 5(4) by Dormand and Prince, with adaptive steps.
#pragma once

#include "sim/integrator.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {

inline constexpr ScratchColumn rk45_columns[] = {{"begin position", true},    {"begin velocity", true},
                                                 {"slope 1", true},           {"slope 2", true},
                                                 {"slope 3", true},           {"slope 4", true},
                                                 {"slope 5", true},           {"slope 6", true},
                                                 {"slope 7", true},           {"error of position", false},
                                                 {"error of velocity", false}};

inline constexpr Parameter rk45_parameters[] = {
    {.name = "tolerance",
     .fallback = "1e-9",
     .meaning = "error of positions and velocities per step, relative to half of their extent; 0: steps of dt",
     .range = {.low = 0, .high = 1, .high_open = true}}};

void step_with_rk45(Backend& bodies, const Step& step);
void advance_with_rk45(Backend& bodies, Clock& clock, const AdvanceGoal& goal);

inline constexpr Integrator rk45{
    .name = "rk45",
    .meaning = "Dormand and Prince's method with adaptive steps: fifth order, frames by its interpolant",
    .order = 5,
    .evaluations = 6,
    .references = {literature::dormand1980, literature::shampine1986},
    .columns = rk45_columns,
    .parameters = rk45_parameters,
    .min_accuracy = 1e-15,
    .why_open = positions_bypass_walls,
    .step = step_with_rk45,
    .advance_to = advance_with_rk45};

}  // namespace orrery::sim
