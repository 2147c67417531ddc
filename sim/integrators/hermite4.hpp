// SPDX-License-Identifier: MIT
// The fourth-order Hermite integrator: P(EC)² with a corrector that is symmetric in time, in steps of dt or of
// Aarseth's criterion.
#pragma once

#include "sim/integrator.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {
namespace hermite {

constexpr Column x0 = scratch_column(0), v0 = scratch_column(1), a0 = scratch_column(2), j0 = scratch_column(3),
                 a1 = scratch_column(4), j1 = scratch_column(5);

/// Advances from x0, v0, a0, j0 by h; writes the new state to position and velocity and the last forces to a1 and j1.
/// These are evaluated before the last correction, which changes them in terms of higher order only and saves an
/// evaluation. Small terms are added first, so that a position is rounded once.
inline void take_step(Backend& bodies, double h, int corrections = 2) {
  constexpr Column x = Column::position, v = Column::velocity, a = Column::acceleration;
  bodies.combine(x, {{h * h * h / 6, j0}, {h * h / 2, a0}, {h, v0}, {1, x0}});
  bodies.combine(v, {{h * h / 2, j0}, {h, a0}, {1, v0}});
  for (int k = 0; k < corrections; ++k) {
    bodies.accelerate_with_jerk(j1);
    bodies.combine(a1, {{1, a}});
    bodies.combine(v, {{-h * h / 12, j1}, {h * h / 12, j0}, {h / 2, a1}, {h / 2, a0}, {1, v0}});
    bodies.combine(x, {{-h * h / 12, a1}, {h * h / 12, a0}, {h / 2, v}, {h / 2, v0}, {1, x0}});
  }
}

/// Makes the end of a step the beginning of the next one.
inline void begin_next_step(Backend& bodies) {
  bodies.combine(x0, {{1, Column::position}});
  bodies.combine(v0, {{1, Column::velocity}});
  bodies.combine(a0, {{1, a1}});
  bodies.combine(j0, {{1, j1}});
}

/// Integrator::advance_to by Aarseth's criterion. Output between two steps is a step back from the second, which is
/// discarded.
void advance_to(Backend& bodies, Clock& clock, const AdvanceGoal& goal);

}  // namespace hermite

inline constexpr ScratchColumn hermite4_columns[] = {{"last_position", true},     {"last_velocity", true},
                                                     {"last_acceleration", true}, {"last_jerk", true},
                                                     {"acceleration", false},     {"jerk", false}};

inline constexpr Parameter hermite4_keys[] = {
    {.name = "eta",
     .fallback = "0.0",
     .meaning = "Aarseth's accuracy parameter η, typically 0.02: adaptive steps shared by all bodies; 0: steps of dt",
     .range = {.low = 0, .high = 1}}};

inline constexpr Integrator hermite4{
    .name = "hermite4",
    .meaning =
        "Hermite's predictor and corrector P(EC)² with jerks: fourth order, steps of dt or of Aarseth's criterion",
    .order = 4,
    .evaluations = 2,
    .references = {literature::makino1992, literature::hut1995},
    .columns = hermite4_columns,
    .parameters = hermite4_keys,
    .min_accuracy = 1e-10,  // steps go as its square root
    .why_float64 = "jerks are computed in double only",
    .why_open = positions_bypass_walls,
    .jerk = true,
    .start =
        [](Backend& bodies) {
          bodies.accelerate_with_jerk(hermite::j1);
          bodies.combine(hermite::a1, {{1, Column::acceleration}});
          hermite::begin_next_step(bodies);
        },
    .step =
        [](Backend& bodies, const Step& step) {
          hermite::take_step(bodies, step.dt);
          hermite::begin_next_step(bodies);
        },
    .advance_to = hermite::advance_to,
};

}  // namespace orrery::sim
