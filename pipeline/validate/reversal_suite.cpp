// SPDX-License-Identifier: MIT
// Suite reversal: forward, and with −dt back to the start.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "common/power_law.hpp"
#include "pipeline/validate/convergence.hpp"
#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

/// After so many steps of dt and as many of −dt.
struct Returned {
  std::vector<double> state;
  std::int64_t evaluations, own_steps;
};
Returned there_and_back(const Context& context, const Method& method, const sim::System& system, double dt,
                        std::int64_t steps) {
  MeasuredRun there(context, system, method, dt);
  there.advance(steps);
  sim::System turning = system;
  const sim::Snapshot far = there->state();
  turning.bodies.position = far.position;
  turning.bodies.velocity = far.velocity;
  MeasuredRun back(context, turning, method, -dt);
  back.advance(steps);
  return {back.state(), there.evaluations() + back.evaluations(), there->clock().steps + back->clock().steps};
}

std::vector<double> state_of(const sim::Bodies& bodies) {
  std::vector<double> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto &x = bodies.position, &v = bodies.velocity;
    for (const double number : {x.x[i], x.y[i], x.z[i], v.x[i], v.y[i], v.z[i]}) all.push_back(number);
  }
  return all;
}

/// Ten periods of 200 steps, whose own error is far above rounding for every method here but the one of order 15, or in
/// steps of its own. What a step errs changes the semi-major axis, and the phase by 3π times as much each period.
Findings undone(const Context& context, const Method& method) {
  constexpr int periods = 10, steps = 200 * periods;
  const Ellipse two = ellipse();
  const Returned end = there_and_back(context, method, two.problem.system, two.period * periods / steps, steps);
  const bool tolerant = method.accuracy > 0 && method.integrator->order < 15;
  const double errors = tolerant ? method.accuracy * static_cast<double>(end.own_steps)
                                 : 10 * 0x1p-53 * std::sqrt(2.0 * static_cast<double>(end.evaluations));
  Findings findings;
  findings.checks.push_back(
      {.suite = "",
       .integrator = method.name(),
       .orbit = "",
       .what = fmt::format("|Δ(x, v)| after {} periods there and back", periods),
       .measured = distance(end.state, state_of(two.problem.system.bodies)),
       .bound = Bound::at_most(errors * (1 + 3 * std::numbers::pi * 2 * periods)),
       .why = tolerant ? "the tolerance in every step there and back, and what it makes of the phase"
              : method.integrator->symmetric ? "symmetric in time: a step of −dt undoes one of dt but for rounding"
                                             : "not symmetric, but with these steps its error is below rounding"});
  return findings;
}

/// Steps of its own come back by other steps: what is left falls as η², with the fourth power of the steps, or faster.
Findings not_undone_by_own_steps(const Context& context, const Method& method) {
  const Ellipse two = ellipse();
  std::vector<double> accuracies, misses;
  for (double accuracy = method.accuracy; accuracies.size() < 7; accuracy /= 4) {
    const Returned end =
        there_and_back(context, {method.integrator, accuracy}, two.problem.system, two.period * 0.43, 1);
    accuracies.push_back(accuracy);
    misses.push_back(distance(end.state, state_of(two.problem.system.bodies)));
  }
  Findings findings;
  findings.checks.push_back(
      {.suite = "",
       .integrator = "",
       .orbit = "",
       .what = fmt::format("q of |Δ(x, v)| ∝ {}^q there and back, {:.2g} to {:.2g}",
                           method.integrator->parameters.front().name, accuracies.front(), accuracies.back()),
       .measured = power_law(accuracies, misses),
       .bound = Bound::at_least(0.5 * method.integrator->order - 0.1),
       .why = "steps go with √η; at least, since parts of the errors there and back cancel"});
  return findings;
}

/// Not symmetric: −dt is the adjoint method's inverse, so what comes back is off by its error, of the order declared for an
/// odd one and one more for an even one, whose leading terms cancel.
Findings not_undone(const Context& context, const Method& method) {
  const Ellipse two = ellipse();
  const double t = two.period * 0.43;
  const auto run = [&](const sim::System& system, std::int64_t steps) {
    return there_and_back(context, method, system, t / static_cast<double>(steps), steps);
  };
  const Convergence found = converge(
      method.integrator->order, 8, 1'000'000,
      [&](std::int64_t steps) {
        const Returned end = run(two.problem.system, steps);
        return Point{.steps = steps,
                     .dt = t / static_cast<double>(steps),
                     .error = distance(end.state, state_of(two.problem.system.bodies)),
                     .rounding = 0,
                     .evaluations = end.evaluations};
      },
      [&](std::int64_t steps) {
        return distance(run(two.problem.system, steps).state,
                        turned_back(run(turned(two.problem.system), steps).state));
      });
  Findings findings;
  findings.checks.push_back(
      {.suite = "",
       .integrator = "",
       .orbit = "",
       .what = "order of |Δ(x, v)| there and back",
       .measured = found.slope,
       .bound = Bound::at_least(method.integrator->order - 0.1),
       .why = "not its own adjoint, so −dt undoes a step up to its error alone; at least its order, since "
              "leading terms of an even one cancel"});
  return findings;
}

void plan(bool /*quick*/, std::vector<Task>& tasks) {
  const auto add = [&](const Method& method, auto work) {
    tasks.push_back({.suite = "",
                     .integrator = std::string(method.integrator->name),
                     .orbit = "two-body",
                     .work = [=](const Context& context) { return work(context, method); }});
  };
  for (const Method& method : constant_methods()) {
    if (method.integrator->bath) continue;  // a leapfrog here, where its bath is off, which it does not declare
    add(method, method.integrator->symmetric || method.integrator->order > 8 ? undone : not_undone);
  }
  for (const Method& method : precise_methods()) add(method, undone);
  for (const Method& method : adaptive_methods()) {
    if (method.integrator->parameters.front().name == "eta") add(method, not_undone_by_own_steps);
  }
}

}  // namespace

const ValidationSuite reversal_suite{
    .name = "reversal", .meaning = "forward, and with −dt back to the start", .plan = plan};

}  // namespace orrery::pipeline
