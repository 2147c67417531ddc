// SPDX-License-Identifier: MIT
// Suite reversal: forward, and with −dt back to the start.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "pipeline/validate/convergence.hpp"
#include "pipeline/validate/trial.hpp"

namespace orrery::pipeline {
namespace {

/// The state after so many steps of dt and as many of −dt.
std::vector<double> there_and_back(const Laboratory& laboratory, const Method& method, const sim::System& system,
                                   double dt, std::int64_t steps, std::int64_t& evaluations) {
  Trial there(laboratory, system, method, dt);
  there.advance(steps);
  sim::System turning = system;
  const sim::Snapshot far = there->state();
  turning.bodies.position = far.position;
  turning.bodies.velocity = far.velocity;
  Trial back(laboratory, turning, method, -dt);
  back.advance(steps);
  evaluations = there.evaluations() + back.evaluations();
  return back.state();
}

std::vector<double> state_of(const sim::Bodies& bodies) {
  std::vector<double> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto &x = bodies.position, &v = bodies.velocity;
    for (const double number : {x.x[i], x.y[i], x.z[i], v.x[i], v.y[i], v.z[i]}) all.push_back(number);
  }
  return all;
}

/// Ten periods of 200 steps, whose own error is far above rounding for every method here but the one of order 15.
Findings undone(const Laboratory& laboratory, const Method& method) {
  constexpr int periods = 10, steps = 200 * periods;
  const Ellipse two = ellipse();
  std::int64_t evaluations = 0;
  const auto end =
      there_and_back(laboratory, method, two.problem.system, two.period * periods / steps, steps, evaluations);
  // A random walk of rounding changes the semi-major axis, and the phase by 3π times as much each period.
  const double walk = 10 * 0x1p-53 * std::sqrt(2.0 * static_cast<double>(evaluations));
  Findings findings;
  findings.checks.push_back({.suite = "",
                             .integrator = "",
                             .orbit = "",
                             .what = fmt::format("|Δ(x, v)| after {} periods there and back", periods),
                             .measured = distance(end, state_of(two.problem.system.bodies)),
                             .bound = Bound::at_most(walk * (1 + 3 * std::numbers::pi * 2 * periods)),
                             .why = method.integrator->symmetric
                                        ? "symmetric in time: a step of −dt undoes one of dt but for rounding"
                                        : "not symmetric, but with these steps its error is below rounding"});
  return findings;
}

/// Not symmetric: −dt is the adjoint method's inverse, so what comes back is off by its error, of the order declared for an
/// odd one and one more for an even one, whose leading terms cancel.
Findings not_undone(const Laboratory& laboratory, const Method& method) {
  const Ellipse two = ellipse();
  const double t = two.period * 0.43;
  std::int64_t evaluations = 0;
  const auto run = [&](const sim::System& system, std::int64_t steps) {
    return there_and_back(laboratory, method, system, t / static_cast<double>(steps), steps, evaluations);
  };
  const Convergence found = converge(
      method.integrator->order, 8, 1'000'000,
      [&](std::int64_t steps) {
        const auto end = run(two.problem.system, steps);
        return Point{.steps = steps,
                     .dt = t / static_cast<double>(steps),
                     .error = distance(end, state_of(two.problem.system.bodies)),
                     .rounding = 0,
                     .evaluations = evaluations};
      },
      [&](std::int64_t steps) {
        return distance(run(two.problem.system, steps), turned_back(run(turned(two.problem.system), steps)));
      });
  Findings findings;
  findings.checks.push_back({.suite = "",
                             .integrator = "",
                             .orbit = "",
                             .what = "order of |Δ(x, v)| there and back",
                             .measured = found.slope,
                             .bound = Bound::at_least(method.integrator->order - 0.1),
                             .why = "not its own adjoint, so −dt undoes a step up to its error alone"});
  return findings;
}

void plan(bool /*quick*/, std::vector<Task>& tasks) {
  for (const Method& method : constant_methods()) {
    tasks.push_back({.suite = "",
                     .integrator = std::string(method.integrator->name),
                     .orbit = "two-body",
                     .work = [=](const Laboratory& laboratory) {
                       return method.integrator->symmetric || method.integrator->order > 8
                                  ? undone(laboratory, method)
                                  : not_undone(laboratory, method);
                     }});
  }
}

}  // namespace

const ValidationSuite reversal_suite{
    .name = "reversal", .meaning = "forward, and with −dt back to the start", .plan = plan};

}  // namespace orrery::pipeline
