// SPDX-License-Identifier: MIT
// Forward with dt, then back to the start with −dt.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "common/power_law.hpp"
#include "pipeline/validate/convergence.hpp"
#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

/// The state after `steps` steps of dt and as many of −dt.
struct Returned {
  std::vector<double> state;
  std::int64_t evaluations, own_steps;
};
Returned there_and_back(const Conditions& conditions, const Method& method, const sim::System& system, double dt,
                        std::int64_t steps) {
  MeasuredRun there(conditions, system, method, dt);
  there.advance(steps);
  sim::System turning = system;
  const sim::Snapshot far = there->state();
  turning.bodies.position = far.position;
  turning.bodies.velocity = far.velocity;
  MeasuredRun back(conditions, turning, method, -dt);
  back.advance(steps);
  return {back.state(), there.evaluations() + back.evaluations(), there->clock().steps + back->clock().steps};
}

double distance_to_start(const Returned& end, const sim::System& system) {
  return distance(end.state, state_of(system.bodies.position, system.bodies.velocity));
}

/// Ten periods of 200 constant steps, with a method error far above rounding below order 15, or of adaptive steps. An
/// error changes the semi-major axis, and the phase by 3π times as much per period.
Findings undone(const Conditions& conditions, const Method& method) {
  constexpr int periods = 10, steps = 200 * periods;
  const Ellipse two = ellipse();
  const Returned end = there_and_back(conditions, method, two.problem.system, two.period * periods / steps, steps);
  const bool tolerant = method.accuracy > 0 && method.integrator->order < 15;
  const double errors = tolerant ? method.accuracy * static_cast<double>(end.own_steps)
                                 : 10 * 0x1p-53 * std::sqrt(2.0 * static_cast<double>(end.evaluations));
  return {
      .checks = {{fmt::format("|Δ(x, v)| after {} periods there and back", periods),
                  distance_to_start(end, two.problem.system),
                  Bound::at_most(errors * (1 + 3 * std::numbers::pi * 2 * periods)),
                  tolerant ? "the tolerance of every step there and back, and the phase error that results"
                  : method.integrator->symmetric ? "symmetric in time: a step of −dt undoes one of dt up to rounding"
                                                 : "not symmetric, but with these steps its error is below rounding",
                  method.name()}}};
}

/// The way back has other adaptive steps: the remaining error falls as η², the fourth power of the steps, or faster.
Findings adaptive_not_undone(const Conditions& conditions, const Method& method) {
  const Ellipse two = ellipse();
  std::vector<double> accuracies, misses;
  for (double accuracy = method.accuracy; accuracies.size() < 7; accuracy /= 4) {
    const Returned end =
        there_and_back(conditions, {method.integrator, accuracy}, two.problem.system, two.period * 0.43, 1);
    accuracies.push_back(accuracy);
    misses.push_back(distance_to_start(end, two.problem.system));
  }
  return {.checks = {{fmt::format("q of |Δ(x, v)| ∝ {}^q there and back, {:.2g} to {:.2g}",
                                  method.integrator->parameters.front().name, accuracies.front(), accuracies.back()),
                      power_law(accuracies, misses), Bound::at_least(0.5 * method.integrator->order - 0.1),
                      "steps are ∝ √η; at least, since parts of the errors there and back cancel"}}};
}

/// Not symmetric: a step of −dt is the inverse of the adjoint method, so the error that remains has the declared order
/// if that is odd, and one more if it is even, since the leading terms cancel.
Findings not_undone(const Conditions& conditions, const Method& method) {
  const Ellipse two = ellipse();
  const double t = two.period * 0.43;
  const auto run = [&](const sim::System& system, std::int64_t steps) {
    return there_and_back(conditions, method, system, t / static_cast<double>(steps), steps);
  };
  const Convergence found = converge(
      method.integrator->order, 8, 1'000'000,
      [&](std::int64_t steps) {
        const Returned end = run(two.problem.system, steps);
        return Point{.steps = steps,
                     .dt = t / static_cast<double>(steps),
                     .error = distance_to_start(end, two.problem.system),
                     .evaluations = end.evaluations};
      },
      [&](std::int64_t steps) {
        return distance(run(two.problem.system, steps).state,
                        turned_back(run(turned(two.problem.system), steps).state));
      });
  return {.checks = {{"order of |Δ(x, v)| there and back", found.slope, Bound::at_least(method.integrator->order - 0.1),
                      "not self-adjoint, so −dt undoes a step only up to its error; at least its order, since leading "
                      "terms of an even order cancel"}}};
}

void plan(bool /*quick*/, std::vector<Task>& tasks) {
  const auto add = [&](const Method& method, auto work) { add_task(tasks, "two-body", method, work); };
  for (const Method& method : constant_methods()) {
    // Without its heat bath it is a leapfrog, although it does not declare those properties.
    if (method.integrator->bath) continue;
    add(method, method.integrator->symmetric || method.integrator->order > 8 ? undone : not_undone);
  }
  for (const Method& method : precise_methods()) add(method, undone);
  for (const Method& method : adaptive_methods()) {
    if (method.integrator->parameters.front().name == "eta") add(method, adaptive_not_undone);
  }
}

}  // namespace

const ValidationSuite reversal_suite{
    .name = "reversal", .meaning = "forward, then back to the start with −dt", .plan = plan};

}  // namespace orrery::pipeline
