// SPDX-License-Identifier: MIT
// The integrator of order 15 by Rein and Spiegel, with adaptive steps.
#pragma once

#include "sim/integrator.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {

/// Persistent: the beginning of a step in two doubles and the differences of acceleration that predict the next step.
inline constexpr ScratchColumn ias15_columns[] = {
    {"begin position", true},   {"begin velocity", true},     {"rest of position", true},
    {"rest of velocity", true}, {"begin acceleration", true}, {"rest of acceleration", true},
    {"difference 1", true},     {"difference 2", true},       {"difference 3", true},
    {"difference 4", true},     {"difference 5", true},       {"difference 6", true},
    {"difference 7", true},     {"trial 1", false},           {"trial 2", false},
    {"trial 3", false},         {"trial 4", false},           {"trial 5", false},
    {"trial 6", false},         {"trial 7", false},           {"sum of position", false},
    {"sum of velocity", false}, {"last coefficient", false},
};

inline constexpr Parameter ias15_parameters[] = {
    {.name = "tolerance",
     .fallback = "1e-9",
     .meaning = "of the last coefficient of the acceleration in a step, relative to the acceleration, at least 5e-12; "
                "0: steps of dt with at most 12 iterations, which do not converge if dt is too long",
     .range = {.low = 0, .high = 1, .high_open = true}}};

void advance_with_ias15(Backend& bodies, Clock& clock, const AdvanceGoal& goal);

inline constexpr Integrator ias15{
    .name = "ias15",
    .meaning = "Gauss-Radau quadrature in adaptive steps, to rounding: fifteenth order",
    .order = 15,
    .evaluations = 14,
    .references = {literature::rein2015},
    .columns = ias15_columns,
    .parameters = ias15_parameters,
    // The last coefficient is a sum of accelerations with factors up to 1.07e4: their rounding, 2⁻⁵¹ of them (see
    // ias15.cpp), contributes 4.8e-12, and no shorter step reduces that.
    .min_accuracy = 5e-12,
    .why_float64 = "its steps follow from differences of seventh order, which amplify rounding a thousandfold",
    .why_open = positions_bypass_walls,
    .jerk = true,
    .advance_to = advance_with_ias15};

}  // namespace orrery::sim
