// SPDX-License-Identifier: MIT
// With a method error below double precision, the energy error is a random walk of rounding.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/power_law.hpp"
#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

constexpr double rounding = 0x1p-53;

/// The energy error at times spaced evenly in the logarithm. Sets `steps` to the number of adaptive steps.
Series energy_of(const Conditions& conditions, const Method& method, const Problem& made, double periods,
                 double& steps) {
  Series series{"walk", "", {}, {}};
  MeasuredRun run(conditions, made.system, method, made.timescale);
  const double start = run->observe().observables.total_energy();
  for (double next = 1; static_cast<double>(run->step()) < periods; next *= 1.1) {
    const auto to =
        std::min(std::max(std::llround(next), static_cast<long long>(run->step()) + 1), std::llround(periods));
    run.advance(to - run->step(), true);
    series.x.push_back(static_cast<double>(to));
    series.y.push_back(std::abs(run->observe().observables.total_energy() / start - 1));
  }
  steps = static_cast<double>(run->clock().steps);
  return series;
}

Findings planets(const Conditions& conditions, const Method& method) {
  const Problem made = outer_solar_system(true);
  const double periods = conditions.quick ? 100 : 1000;
  double steps = 0;
  const Series seen = energy_of(conditions, method, made, periods, steps);
  return {.checks = {{fmt::format("|ΔE/E| over {} periods of Jupiter, {:.0f} steps", periods, steps),
                      std::ranges::max(seen.y), Bound::at_most(1e-14),
                      "required accuracy; a random walk of rounding is √steps · 1.1e-16"}}};
}

/// Runs in rotated axes differ in rounding only: their mean square is that of the random walk.
Findings walk(const Conditions& conditions, const Method& method) {
  constexpr int walkers = 4;
  constexpr double periods = 1e5;
  Problem made = outer_solar_system(true);
  Findings findings;
  Series mean{"walk", "root mean square", {}, {}};
  double steps = 0;
  for (int k = 0; k < walkers; ++k) {
    Series one = energy_of(conditions, method, made, periods, steps);
    one.name = k == 0 ? "a run" : "";
    if (mean.x.empty()) mean.x = one.x, mean.y.assign(one.x.size(), 0);
    for (std::size_t i = 0; i < one.y.size() && i < mean.y.size(); ++i) mean.y[i] += one.y[i] * one.y[i] / walkers;
    findings.series.push_back(std::move(one));
    made.system = turned(std::move(made.system));
  }
  std::vector<double> late, errors;
  for (std::size_t i = 0; i < mean.x.size(); ++i) {
    mean.y[i] = std::sqrt(mean.y[i]);
    if (mean.x[i] < 100 || !(mean.y[i] > 0)) continue;
    late.push_back(mean.x[i]);
    errors.push_back(mean.y[i]);
  }
  Series theory{"walk", "1.1e-16 √steps", mean.x, {}};
  for (const double t : mean.x) theory.y.push_back(rounding * std::sqrt(steps * t / periods));
  const double last = mean.y.back();
  findings.checks = {
      {fmt::format("|ΔE/E| after {:.0f} periods of Jupiter, root mean square of {} runs", periods, walkers), last,
       Bound::at_most(3 * rounding * std::sqrt(steps)),
       fmt::format("three times a random walk of {:.3g} steps, each half a bit: Brouwer 1937", steps)},
      {"q of |ΔE/E| ∝ t^q", power_law(late, errors), Bound::within(0.5, 0.25),
       "1/2 for a random walk, 1 for a drift; four runs leave an uncertainty of about a fifth"}};
  findings.series.push_back(mean);
  findings.series.push_back(theory);
  return findings;
}

/// Two bodies at e = 0.99, sampled at apocentre, where the energy is not a small difference of large terms.
Findings comet(const Conditions& conditions, const Method& method) {
  const Ellipse two = ellipse(0.99);
  const int periods = conditions.quick ? 12 : 100;
  MeasuredRun run(conditions, two.problem.system, method, two.period / 2);
  const double start = -two.mu / 1.3 * 0.3 / (2 * two.semi_major_axis);
  double greatest = 0;
  for (int k = 0; k < periods; ++k) {
    run.advance(k == 0 ? 1 : 2, true);
    greatest = std::max(greatest, std::abs(run->observe().observables.total_energy() / start - 1));
  }
  return {
      .checks = {
          {fmt::format("|ΔE/E| over {} periods at e = 0.99, {} steps", periods, run->clock().steps), greatest,
           Bound::at_most(10 * rounding * (2 / (1 - two.eccentricity)) * std::sqrt(periods)),
           "ten times a random walk through pericentres, where kinetic and potential energy are 200 times their sum"}}};
}

void plan(bool quick, std::vector<Task>& tasks) {
  for (const Method& method : adaptive_methods()) {
    if (method.integrator->order < 15) continue;
    add_task(tasks, "outer-solar-system", method, planets);
    add_task(tasks, "two-body", method, comet);
    add_task(tasks, "pythagorean", method, pythagorean_problem);
    if (!quick) add_task(tasks, "outer-solar-system", method, walk);
  }
}

}  // namespace

const ValidationSuite rounding_suite{
    .name = "rounding",
    .meaning = "rounding errors of methods that are more accurate than double precision",
    .plan = plan};

}  // namespace orrery::pipeline
