// SPDX-License-Identifier: MIT
// Periodic orbits return to their initial state, up to rounding, the tolerance or the order of the method.
#include <fmt/format.h>

#include <cmath>

#include "pipeline/validate/amplification.hpp"
#include "pipeline/validate/convergence.hpp"

namespace orrery::pipeline {
namespace {

struct PeriodicOrbit {
  std::string_view name;
  bool rotating = false;  ///< closes in a frame that rotates once in 2π
};

constexpr PeriodicOrbit orbits[] = {
    {"figure-eight"}, {"butterfly-1"}, {"butterfly-2"}, {"butterfly-3"}, {"moth-1"},          {"goggles"},
    {"dragonfly"},    {"yin-yang-1a"}, {"yin-yang-1b"}, {"kepler-0.9"},  {"arenstorf", true},
};

/// The orbit of that name: an initial state, or two bodies.
Problem problem_of(const PeriodicOrbit& orbit) {
  if (orbit.name != "kepler-0.9") return problem(orbit.name);
  return problem("two-body", {{"masses", std::vector{0.7, 0.3}}, {"eccentricity", 0.9}});
}

/// The state in axes rotated by `angle` about z.
std::vector<double> in_rotated_axes(std::vector<double> state, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (std::size_t k = 0; k < state.size(); k += 3) {
    const double x = state[k], y = state[k + 1];
    state[k] = c * x + s * y;
    state[k + 1] = c * y - s * x;
  }
  return state;
}

double miss(const PeriodicOrbit& orbit, const RunResult& run, double time) {
  const auto end = orbit.rotating ? in_rotated_axes(run.end, time) : run.end;
  return distance(in_units_of(run.start, end), in_units_of(run.start, run.start));
}

/// The path of each body, for the figure.
std::vector<Series> paths(const Conditions& conditions, const PeriodicOrbit& orbit, const Method& method,
                          const Problem& made) {
  constexpr int points = 400;
  MeasuredRun run(conditions, made.system, method, made.timescale / points);
  std::vector<Series> all(made.system.bodies.size());
  for (Series& series : all) series.chart = "orbit " + std::string(orbit.name);
  for (int k = 0; k <= points; ++k) {
    if (k > 0) run.advance(1);
    auto state = run.state();
    if (orbit.rotating) state = in_rotated_axes(state, run->time());
    for (std::size_t i = 0; i < all.size(); ++i) all[i].x.push_back(state[6 * i]), all[i].y.push_back(state[6 * i + 1]);
  }
  return all;
}

/// Adaptive steps: rounding, or the tolerance of each step, times the amplification of the orbit.
Findings closes(const Conditions& conditions, const PeriodicOrbit& orbit, const Method& method) {
  const Problem made = problem_of(orbit);
  const double time = made.timescale;
  const RunResult run = travel(conditions, method, made.system, time, 1);
  const bool to_rounding = method.integrator->order >= 15;
  const double growth = amplification(conditions, method, made.system, time, 1) *
                        (to_rounding ? greatest_on_the_way(conditions, method, made.system, time) : 1);
  const double bound =
      to_rounding ? 10 * 0x1p-53 * growth * std::sqrt(run.steps) : method.accuracy * run.steps * growth;
  Findings findings;
  findings.checks = {{fmt::format("|state(T) − state(0)|, {:.0f} steps", run.steps), miss(orbit, run, time),
                      Bound::at_most(bound),
                      to_rounding ? fmt::format("ten times a random walk of rounding, scaled by the maximum speed and "
                                                "amplified by the orbit: {:.3g} times in all",
                                                growth)
                                  : fmt::format("the tolerance in every step, amplified {:.3g} times", growth),
                      method.name()}};
  if (to_rounding) findings.series = paths(conditions, orbit, method, made);
  return findings;
}

/// Constant steps: the distance falls with the order, or faster, since parts of the error cancel over a whole period.
Findings closes_with_order(const Conditions& conditions, const PeriodicOrbit& orbit, const Method& method) {
  const Problem made = problem_of(orbit);
  const double time = made.timescale;
  const Convergence found = converge(
      method.integrator->order, 64, conditions.quick ? 300'000 : 5'000'000,
      [&](std::int64_t steps) {
        MeasuredRun run(conditions, made.system, method, time / static_cast<double>(steps));
        const auto start = run.state();
        run.advance(steps);
        return Point{.steps = steps,
                     .dt = time / static_cast<double>(steps),
                     .error = miss(orbit, {start, run.state(), 0}, time),
                     .evaluations = run.evaluations()};
      },
      [&](std::int64_t steps) {
        const auto plain = travel(conditions, method, made.system, time, steps);
        const auto other = travel(conditions, method, turned(made.system), time, steps);
        return distance(in_units_of(plain.start, plain.end), in_units_of(plain.start, turned_back(other.end)));
      });
  return {.checks = {{fmt::format("order of |state(T) − state(0)|, T/{:.0f} to T/{:.0f}", time / found.first,
                                  time / found.last),
                      found.slope, Bound::at_least(method.integrator->order - 0.1),
                      "the orbit closes, so the distance at T is the method's error; at least its order, since parts "
                      "of the error cancel over a period"}}};
}

void plan(bool quick, std::vector<Task>& tasks) {
  const auto add = [&](const PeriodicOrbit& orbit, const Method& method, auto work) {
    add_task(tasks, orbit.name, method,
             [=, &orbit](const Conditions& conditions, const Method& m) { return work(conditions, orbit, m); });
  };
  for (const PeriodicOrbit& orbit : orbits) {
    for (const Method& method : precise_methods()) add(orbit, method, closes);
    if (orbit.name != "figure-eight" && (quick || orbit.name != "kepler-0.9")) continue;
    for (const Method& method : constant_methods()) {
      // Over whole periods, a symplectic method of odd order has the next higher order except in phases: in between at
      // T.
      const bool pure = method.integrator->order % 2 == 0 || !method.integrator->symplectic;
      if (method.integrator->order <= 8 && pure) add(orbit, method, closes_with_order);
    }
  }
}

}  // namespace

const ValidationSuite closure_suite{
    .name = "closure", .meaning = "periodic orbits return to their initial state", .plan = plan};

}  // namespace orrery::pipeline
