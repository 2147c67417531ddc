// SPDX-License-Identifier: MIT
// Rein and Spiegel's integrator of order 15, which chooses its steps.
#pragma once

#include "sim/integrator.hpp"

namespace orrery::sim {

/// The beginning of a step in two doubles, and the differences of acceleration that say how it goes on, outlive it.
inline constexpr WorkVector ias15_columns[] = {
    {.name = "begin position", .persistent = true},     {.name = "begin velocity", .persistent = true},
    {.name = "rest of position", .persistent = true},   {.name = "rest of velocity", .persistent = true},
    {.name = "begin acceleration", .persistent = true}, {.name = "rest of acceleration", .persistent = true},
    {.name = "difference 1", .persistent = true},       {.name = "difference 2", .persistent = true},
    {.name = "difference 3", .persistent = true},       {.name = "difference 4", .persistent = true},
    {.name = "difference 5", .persistent = true},       {.name = "difference 6", .persistent = true},
    {.name = "difference 7", .persistent = true},       {.name = "trial 1", .persistent = false},
    {.name = "trial 2", .persistent = false},           {.name = "trial 3", .persistent = false},
    {.name = "trial 4", .persistent = false},           {.name = "trial 5", .persistent = false},
    {.name = "trial 6", .persistent = false},           {.name = "trial 7", .persistent = false},
    {.name = "sum of position", .persistent = false},   {.name = "sum of velocity", .persistent = false},
    {.name = "last coefficient", .persistent = false},
};

inline constexpr Parameter ias15_parameters[] = {
    {.name = "tolerance",
     .fallback = "1e-9",
     .meaning = "of the last coefficient of the acceleration in a step, relative to the acceleration, 5e-12 at least; "
                "0: steps of dt, iterated 12 times at most: what that leaves unsettled, dt is too long for",
     .range = {.low = 0, .high = 1, .high_open = true}}};

void advance_with_ias15(Backend& bodies, Clock& clock, const AdvanceGoal& goal);

inline constexpr Integrator ias15{
    .name = "ias15",
    .meaning = "Gauss-Radau quadrature in steps of its own choice, to the last bit: fifteenth order",
    .order = 15,
    .symplectic = false,
    .evaluations = 14,
    .reference = "Rein & Spiegel 2015, MNRAS 446, 1424",
    .columns = ias15_columns,
    .parameters = ias15_parameters,
    // The last coefficient is a sum of accelerations with factors that come to 1.07e4: rounding in these, 2⁻⁵¹ of them
    // (see ias15.cpp), is 4.8e-12 of it, and no shorter step makes it smaller.
    .least_accuracy = 5e-12,
    .why_float64 = "its steps follow from differences of the seventh order, in which rounding counts a thousandfold",
    .why_open = passes_walls,
    .jerk = true,
    .advance_to = advance_with_ias15};

}  // namespace orrery::sim
