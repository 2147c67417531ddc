// SPDX-License-Identifier: MIT
// With constant steps, the error of two bodies against the closed form falls with the declared order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/validate/convergence.hpp"
#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

/// Times in periods at which the leading term h^p dominates. Not a period, half or third of one, where errors may
/// cancel and a method shows too high an order. Only odd powers of h, which are not symmetric in time, change the
/// energy, and then the error grows as t² instead of t. So methods of odd order that are not symplectic are tested
/// after many periods (the highest order needs the most to rise above rounding), all others at once, before the next
/// power grows.
std::array<double, 3> times(const sim::Integrator& integrator) {
  const bool grows = integrator.order % 2 == 1 && !integrator.symplectic;
  const double whole = !grows ? 0 : integrator.order > 8 ? 1000 : 10;
  return {whole + 0.19, whole + 0.31, whole + 0.43};
}

/// Limit per point; the long runs of the highest order need more.
std::int64_t max_evaluations(const Conditions& conditions, const sim::Integrator& integrator) {
  return !conditions.quick ? 10'000'000 : integrator.order > 8 ? 2'000'000 : 400'000;
}

std::int64_t first_steps(double periods) {
  return std::max<std::int64_t>(8, std::llround(16 * periods));
}

Point measure(const Conditions& conditions, const Method& method, const Ellipse& two, double t, std::int64_t steps) {
  const double dt = t / static_cast<double>(steps);
  MeasuredRun plain(conditions, two.problem.system, method, dt);
  plain.advance(steps);
  return {.steps = steps,
          .dt = dt,
          .error = error_of(plain.state(), two, plain->time()),
          .evaluations = plain.evaluations()};
}

/// Distance between the results of a run and of the same run in rotated axes.
double rounding(const Conditions& conditions, const Method& method, const Ellipse& two, double t, std::int64_t steps) {
  const double dt = t / static_cast<double>(steps);
  MeasuredRun plain(conditions, two.problem.system, method, dt),
      other(conditions, turned(two.problem.system), method, dt);
  plain.advance(steps);
  other.advance(steps);
  return distance(plain.state(), turned_back(other.state()));
}

Findings order_of(const Conditions& conditions, const Method& method, double periods) {
  const Ellipse two = ellipse();
  const double t = periods * two.period;
  const bool drawn = periods == times(*method.integrator).back();
  const Convergence found = converge(
      method.integrator->order, first_steps(periods), max_evaluations(conditions, *method.integrator),
      [&](std::int64_t steps) { return measure(conditions, method, two, t, steps); },
      [&](std::int64_t steps) { return rounding(conditions, method, two, t, steps); });
  Findings findings;
  findings.checks.push_back(
      {fmt::format("order{} at t = {} P, {} steps from P/{:.0f} to P/{:.0f}",
                   method.integrator->order > 8 ? " for h → 0" : "", periods, found.fitted, two.period / found.first,
                   two.period / found.last),
       found.slope, Bound::within(method.integrator->order, 0.1),
       "slope of log error against log dt; the error of the relative orbit is against Kepler's equation"});
  if (drawn)
    findings.checks.push_back({fmt::format("rounding floor at t = {} P", periods), found.floor, Bound::none(),
                               "distance from the same run in rotated axes"});
  return findings;
}

void plan(bool quick, std::vector<Task>& tasks) {
  for (const Method& method : constant_methods()) {
    const auto all = times(*method.integrator);
    for (const double t : all) {
      if (quick && (t > 1000 ? t != all.back() : t == all.front())) continue;  // the former take seconds each
      add_task(tasks, "two-body", method,
               [t](const Conditions& conditions, const Method& m) { return order_of(conditions, m, t); });
    }
  }
}

}  // namespace

const ValidationSuite order_suite{
    .name = "order", .meaning = "the error against the closed form falls with the declared order", .plan = plan};

}  // namespace orrery::pipeline
