// SPDX-License-Identifier: MIT
// What integrators that choose their steps have in common: the loop over their steps, and what it takes to choose one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "sim/elementary.hpp"
#include "sim/greatest.hpp"
#include "sim/integrator.hpp"

namespace orrery::sim {

/// The part of the time scale of the whole, √(extent / acceleration) or extent / acceleration of the velocities, that
/// is short enough for a first step whatever the method: the control finds the right one from there. 1 where nothing
/// pulls.
inline double first_length(const Backend& bodies, Column position, Column velocity, Column acceleration) {
  const auto [pull, speed] = bodies.greatest({acceleration, velocity});
  const auto [x, v] = bodies.half_extents({position, velocity});
  const double a = pull.value;
  double scale = std::numeric_limits<double>::infinity();
  for (const double candidate : {std::sqrt(x / a), v / a, speed.value / a})
    if (candidate > 0) scale = std::min(scale, candidate);
  return std::isfinite(scale) ? scale / 128 : 1;
}

/// How far behind the beginning of the last step a time is.
inline double since_begin(const Clock& clock, double time) {
  return (time - clock.begin) - clock.rest;
}

/// The same for what is shown, where `clock` has come to its end: length where that is the end of its last step.
inline double shown_since_begin(const Clock& clock, const AdvanceGoal& goal) {
  return goal.accuracy > 0 ? since_begin(clock, goal.time()) : clock.length;
}

/// The clock as it goes on to the end of its last step, where the next one begins.
inline Clock moved_on(Clock clock) {
  const double more = clock.rest + clock.length, sum = clock.begin + more, back = sum - clock.begin;
  clock.rest = (clock.begin - (sum - back)) + (more - back);  // Knuth's exact sum
  clock.begin = sum;
  return clock;
}

/// What came of a step that was tried.
struct Tried {
  double next;  ///< the length to try after it or, where it is refused, in place of it
  bool accepted = true;
  std::size_t body = 0;  ///< that asks for the smallest step
};

/// Where integrators of this kind keep the beginning of a step: the first of their columns.
inline constexpr Column step_begin_position = own_column(0), step_begin_velocity = own_column(1);

/// The extremes of energy and angular momentum, widened by the beginning of a step. Evaluations made for it do not
/// count.
inline void track_step(Backend& bodies, std::int64_t& evaluations_before) {
  const std::int64_t now = bodies.evaluations();
  bodies.combine(Column::position, {{1, step_begin_position}});
  bodies.combine(Column::velocity, {{1, step_begin_velocity}});
  bodies.track();
  evaluations_before += bodies.evaluations() - now;
}

/// The loop of Integrator::advance_to up to what is shown. `start` makes position and velocity the beginning of the
/// first step and returns the length to try, `move_on` does the same with the end of the last step, of this length,
/// `attempt` tries a step of this length, which may be repeated with another, and `accept` keeps it. The beginning
/// stays in the integrator's columns all the while; position and velocity are free. With goal.accuracy = 0 these are
/// the steps of dt, and none is refused.
template <class Start, class MoveOn, class Attempt, class Accept>
void take_own_steps(Backend& bodies, Clock& clock, const AdvanceGoal& goal, Start start, MoveOn move_on,
                    Attempt attempt, Accept accept) {
  const bool chosen = goal.accuracy > 0;
  const auto short_of_it = [&] {
    const double missing = since_begin(clock, goal.time()) - clock.length;
    return goal.dt > 0 ? missing > 0 : missing < 0;
  };
  for (std::int64_t step = goal.from; chosen ? clock.length == 0 || short_of_it() : step < goal.to; ++step) {
    std::int64_t before = bodies.evaluations();
    Clock now = moved_on(clock);
    std::size_t smallest = 0;  // the body that asked for the smallest step
    if (clock.length == 0) {
      now.next = std::copysign(start(), goal.dt);
    } else {
      move_on(clock.length);
      if (goal.tracked.takes(clock.steps)) track_step(bodies, before);
    }
    if (!chosen) now.begin = static_cast<double>(step) * goal.dt, now.rest = 0, now.next = goal.dt;
    for (;;) {
      now.length = now.next;
      if (!(now.end() != now.begin)) throw StepTooSmall{now.begin, now.length, smallest};
      const Tried tried = attempt(now.length);
      if (!chosen) break;
      now.next = tried.next;
      smallest = tried.body;
      if (tried.accepted) break;
      ++now.refused;
    }
    accept();
    ++now.steps;
    now.evaluations += bodies.evaluations() - before;
    clock = now;
    if (goal.stop != nullptr && goal.stop()) throw Stopped();
  }
}

}  // namespace orrery::sim
