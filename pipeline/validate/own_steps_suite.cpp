// SPDX-License-Identifier: MIT
// Errors of adaptive integrators follow the requested accuracy, at the ends of steps and within steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/power_law.hpp"
#include "pipeline/validate/measured_run.hpp"
#include "sim/integrators/ias15.hpp"

namespace orrery::pipeline {
namespace {

/// Step control of an integrator: its error estimate, which is compared with the accuracy, is ∝ step^power: rk45's
/// estimate with the fifth, b₆ of ias15 with the seventh, η with the second power.
struct Control {
  std::string_view integrator;
  int power;
  double coarsest;  ///< of the seven accuracies in the asymptotic range, each a quarter of the one before
  double visible;   ///< accuracy at which the error of one step is far above rounding; 0: frames are interpolated
};
constexpr Control controls[] = {{"rk45", 5, 1e-9, 0}, {"hermite4", 2, 0.02, 1e-3}, {"ias15", 7, 1e-6, 7.5e-4}};

std::vector<double> accuracies(const Control& control) {
  std::vector<double> all{control.coarsest};
  while (all.size() < 7) all.push_back(all.back() / 4);
  return all;
}

constexpr double periods = 10;
constexpr double samples = 61.8034;  ///< per period; incommensurate with the steps

std::string range(const Method& method, const std::vector<double>& accuracies) {
  return fmt::format("{} {:.2g} to {:.2g}", method.integrator->parameters.front().name, accuracies.front(),
                     accuracies.back());
}

/// The maximum error in the tenth period and the number of steps are powers of the accuracy.
Findings at_ends(const Conditions& conditions, const Method& method, const Control& control) {
  const Ellipse two = ellipse(0.9);
  const auto settings = accuracies(control);
  std::vector<double> errors, steps;
  for (const double accuracy : settings) {
    MeasuredRun run(conditions, two.problem.system, {method.integrator, accuracy}, two.period / samples);
    run.advance(std::llround((periods - 1) * samples));
    errors.push_back(0);
    for (int k = 0; k < samples; ++k) {
      run.advance(1);
      errors.back() = std::max(errors.back(), error_of(run.state(), two, run->time()));
    }
    steps.push_back(static_cast<double>(run->clock().steps));
  }
  const double of_steps = 1.0 / control.power, of_errors = method.integrator->order * of_steps;
  Findings findings;
  findings.checks = {{"q of steps ∝ 1/accuracy^q, " + range(method, settings), -power_law(settings, steps),
                      Bound::within(of_steps, 0.05 * of_steps),
                      "the error estimate goes with a power of the step that is 1/q"}};
  if (method.integrator->order >= 15) {
    // Rounding makes the energy a random walk; at pericentre kinetic and potential energy are 2/(1 − e) times their
    // sum. The phase changes by 3π times the energy error per period, and velocities change with the phase by 1/(1 −
    // e)² at pericentre.
    const double near = 1 / (1 - two.eccentricity), walk = 10 * 0x1p-53 * 2 * near * std::sqrt(periods);
    findings.checks.push_back({fmt::format("greatest |Δ(x, v)| in the tenth period, tolerance {:.2g}", settings.back()),
                               errors.back(), Bound::at_most(walk * 3 * std::numbers::pi * periods * near * near),
                               "a random walk of rounding through pericentres, and the phase error that results"});
  } else {
    findings.checks.push_back({"q of |Δ(x, v)| ∝ accuracy^q in the tenth period, " + range(method, settings),
                               power_law(settings, errors), Bound::within(of_errors, 0.1 * of_errors),
                               "the order divided by that power of the step"});
  }
  return findings;
}

/// The system with the positions and velocities of `state`.
sim::System at_state(sim::System system, const std::vector<double>& state) {
  auto &x = system.bodies.position, &v = system.bodies.velocity;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const double* s = &state[6 * i];
    x.x[i] = s[0], x.y[i] = s[1], x.z[i] = s[2], v.x[i] = s[3], v.y[i] = s[4], v.z[i] = s[5];
  }
  return system;
}

/// The state at time t.
std::vector<double> state_at(const Conditions& conditions, const Method& method, const sim::System& system, double t) {
  MeasuredRun run(conditions, system, method, t);
  run.advance(1);
  return run.state();
}

/// Maximum errors of the steps of one period, at generic times within them and at their ends, against the true orbit
/// from the beginning of each step.
struct Errors {
  double within = 0, at_end = 0;
};
Errors errors_of_steps(const Conditions& conditions, const Method& own) {
  const Ellipse two = ellipse(0.9);
  const sim::System& start = two.problem.system;
  const Method exact{&sim::ias15, 1e-9};
  MeasuredRun run(conditions, start, own, two.period / samples);
  Errors errors;
  for (int k = 0; k < samples; ++k) {
    run.advance(1);
    const sim::Clock step = run->clock();
    if (!(step.begin > 0)) continue;
    const sim::System begin = at_state(start, state_at(conditions, own, start, step.begin));
    const auto miss = [&](double t) {
      return distance(state_at(conditions, own, start, t), state_at(conditions, exact, begin, t - step.begin));
    };
    errors.within = std::max(errors.within, miss(run->time()));
    errors.at_end = std::max(errors.at_end, miss(step.end()));
  }
  return errors;
}

/// Frames within a step come from a shorter step of the same method, or from an interpolant with an order of its own.
Findings within_steps(const Conditions& conditions, const Method& method, const Control& control) {
  if (control.visible > 0) {
    const Errors errors = errors_of_steps(conditions, {method.integrator, control.visible});
    return {
        .checks = {
            {"greatest |Δ(x, v)| of steps: at times within / at their ends", errors.within / errors.at_end,
             Bound::at_most(2),
             "frames within a step come from a shorter step, so their error is that of its start plus a smaller one"}}};
  }
  const auto settings = accuracies(control);
  std::vector<double> errors;
  for (const double tolerance : settings)
    errors.push_back(errors_of_steps(conditions, {method.integrator, tolerance}).within);
  return {
      .checks = {
          {"q of greatest |Δ(x, v)| ∝ accuracy^q at times within steps, " + range(method, settings),
           power_law(settings, errors), Bound::within(1, 0.1),
           "the interpolant is of order 4, so its error goes with the same power of the step as the error estimate"}}};
}

void plan(bool /*quick*/, std::vector<Task>& tasks) {
  for (const Method& method : adaptive_methods()) {
    const auto control = std::ranges::find(controls, method.integrator->name, &Control::integrator);
    if (control == std::end(controls)) continue;
    for (const auto work : {at_ends, within_steps}) {
      add_task(tasks, "kepler-0.9", method,
               [=](const Conditions& conditions, const Method& m) { return work(conditions, m, *control); });
    }
  }
}

}  // namespace

const ValidationSuite own_steps_suite{.name = "own-steps",
                                      .meaning = "errors follow the requested accuracy, within steps and at their ends",
                                      .plan = plan};

}  // namespace orrery::pipeline
