// SPDX-License-Identifier: MIT
// Common parts of adaptive integrators: the loop over their steps, the initial step length, and long sums of columns.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "sim/elementary.hpp"
#include "sim/greatest.hpp"
#include "sim/integrator.hpp"

namespace orrery::sim {

/// Length of the first attempt: 1/128 of the time scale of the whole system, √(extent/acceleration) or
/// velocity/acceleration; 1 if nothing accelerates. Step control adjusts it.
inline double first_length(const Backend& bodies, Column position, Column velocity, Column acceleration) {
  const auto [pull, speed] = bodies.greatest({acceleration, velocity});
  const auto [x, v] = bodies.half_extents({position, velocity});
  const double a = pull.value;
  double scale = std::numeric_limits<double>::infinity();
  for (const double candidate : {std::sqrt(x / a), v / a, speed.value / a})
    if (candidate > 0) scale = std::min(scale, candidate);
  return std::isfinite(scale) ? scale / 128 : 1;
}

/// `time` relative to the beginning of the last step.
inline double since_begin(const Clock& clock, double time) {
  return (time - clock.begin) - clock.rest;
}

/// The same for the output time; clock.length if that is the end of the last step.
inline double shown_since_begin(const Clock& clock, const AdvanceGoal& goal) {
  return goal.accuracy > 0 ? since_begin(clock, goal.time()) : clock.length;
}

/// The clock with its beginning moved to the end of the last step.
inline Clock moved_on(Clock clock) {
  const double more = clock.rest + clock.length, sum = clock.begin + more, back = sum - clock.begin;
  clock.rest = (clock.begin - (sum - back)) + (more - back);  // Knuth's exact sum
  clock.begin = sum;
  return clock;
}

/// The result of an attempted step.
struct Attempt {
  double next;  ///< length to try next or, if it is rejected, instead
  bool accepted = true;
  std::size_t body = 0;  ///< that requires the smallest step
};

/// Adaptive integrators keep the beginning of a step in their first two columns.
inline constexpr Column step_begin_position = scratch_column(0), step_begin_velocity = scratch_column(1);

/// Includes the beginning of a step in the extremes, without counting the evaluations that this needs.
inline void track_step(Backend& bodies, std::int64_t& evaluations_before) {
  const std::int64_t now = bodies.evaluations();
  bodies.combine(Column::position, {{1, step_begin_position}});
  bodies.combine(Column::velocity, {{1, step_begin_velocity}});
  bodies.track();
  evaluations_before += bodies.evaluations() - now;
}

/// The loop of Integrator::advance_to up to the output. `steps.start()` copies position and velocity to the beginning
/// of the first step and returns its length; `move_on(length)` makes the end of the last step, of this length, the new
/// beginning; `attempt(length)` tries a step and may be repeated with another length; `accept()` keeps the last
/// attempt. The beginning stays in the integrator's columns; position and velocity may be overwritten. With
/// goal.accuracy = 0 all steps are those of dt and accepted.
template <class Steps>
void take_own_steps(Backend& bodies, Clock& clock, const AdvanceGoal& goal, Steps& steps) {
  const bool adaptive = goal.accuracy > 0;
  const auto goal_ahead = [&] {
    const double missing = since_begin(clock, goal.time()) - clock.length;
    return goal.dt > 0 ? missing > 0 : missing < 0;
  };
  for (std::int64_t step = goal.from; adaptive ? clock.length == 0 || goal_ahead() : step < goal.to; ++step) {
    std::int64_t before = bodies.evaluations();
    Clock now = moved_on(clock);
    std::size_t smallest = 0;  // body that required the smallest step
    if (clock.length == 0) {
      now.next = std::copysign(steps.start(), goal.dt);
    } else {
      steps.move_on(clock.length);
      if (goal.tracked.takes(clock.steps)) track_step(bodies, before);
    }
    if (!adaptive) now.begin = static_cast<double>(step) * goal.dt, now.rest = 0, now.next = goal.dt;
    for (;;) {
      now.length = now.next;
      if (!(now.end() != now.begin)) throw StepTooSmall{now.begin, now.length, smallest};
      const Attempt tried = steps.attempt(now.length);
      if (!adaptive) break;
      now.next = tried.next;
      smallest = tried.body;
      if (tried.accepted) break;
      ++now.refused;
    }
    steps.accept();
    ++now.steps;
    now.evaluations += bodies.evaluations() - before;
    clock = now;
    if (goal.stop && goal.stop()) throw Stopped();
  }
}

/// The scratch columns first, first + 1, …
struct Columns {
  int first;

  [[nodiscard]] constexpr Column operator[](std::size_t k) const { return scratch_column(first + static_cast<int>(k)); }
};

/// At most `max_terms` terms. The smallest are added first to reduce rounding.
class Terms {
 public:
  Terms& add(double factor, Column source) {
    terms_[count_++] = {factor, source};
    return *this;
  }
  /// Adds unit · factors[k] · columns[k], the last one first, without those of factor 0, whose columns may be
  /// undefined.
  template <std::size_t n>
  Terms& add(const std::array<double, n>& factors, Columns columns, double unit = 1) {
    for (std::size_t k = n; k-- > 0;) {
      if (factors[k] != 0) add(unit * factors[k], columns[k]);
    }
    return *this;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  operator std::span<const Term>() const { return {terms_.data(), count_}; }

 private:
  std::array<Term, max_terms> terms_;
  std::size_t count_ = 0;
};

}  // namespace orrery::sim
