// SPDX-License-Identifier: MIT
// Known results for other systems, and bit-exact restarts.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "pipeline/validate/amplification.hpp"

namespace orrery::pipeline {
namespace {

/// A thousand bodies of a random state.
Problem random_bodies(std::string_view state) {
  return problem(state, {{"n", std::int64_t{1024}}}, {{"softening", 0.01}});
}

/// Longest minus shortest side of the triangle.
double spread(const std::vector<double>& state) {
  const auto side = [&](std::size_t i, std::size_t j) {
    return std::hypot(state[6 * i] - state[6 * j], state[6 * i + 1] - state[6 * j + 1],
                      state[6 * i + 2] - state[6 * j + 2]);
  };
  const auto [shortest, longest] = std::minmax({side(0, 1), side(1, 2), side(2, 0)});
  return longest - shortest;
}

/// Mean growth factor per period of a disturbance of 1e-10, while its decaying modes are gone and it is still small.
Findings triangle(const Conditions& conditions, const Method& method) {
  constexpr int samples = 16;  // per period
  Problem made = problem("lagrange-triangle", {{"masses", std::vector{1.0, 1.0, 1.0}}});
  made.system.bodies.position.x[0] += 1e-10;
  // The growth has the accuracy of the orbit's frequency, which is that of the method's order.
  const std::int64_t steps = method.accuracy > 0 ? 1 : method.integrator->order == 1 ? 1600 : 160;
  MeasuredRun run(conditions, made.system, method, made.timescale / static_cast<double>(samples * steps));
  std::vector<double> spreads;
  while (spreads.size() < std::size_t{8} * samples && (spreads.empty() || spreads.back() < 0.1)) {
    run.advance(steps);
    spreads.push_back(spread(run.state()));
  }
  double sum = 0;
  int count = 0;
  for (std::size_t k = samples; k + samples < spreads.size(); ++k) {
    if (spreads[k + samples] > 1e-2) break;
    sum += std::log(spreads[k + samples] / spreads[k]);
    ++count;
  }
  return {.checks = {{"growth of a disturbance a period", std::exp(sum / count), Bound::within(85.0197, 0.85),
                      "exp(2π/√2), Routh 1875; to a hundredth", method.name()}}};
}

/// Limits in REBOUND's tests for these methods of order 2 and 4, with steps of a year/2π, a 75th of Jupiter's period.
/// pefrl has the limit of forest-ruth, since its error is smaller.
struct Limit {
  std::string_view name;
  double energy;
};
constexpr Limit limits[] = {{"leapfrog", 1e-3}, {"leapfrog-dkd", 1e-3}, {"forest-ruth", 3e-6}, {"pefrl", 3e-6}};

Findings planets(const Conditions& conditions, const Method& method) {
  const Problem made = outer_solar_system();
  if (method.accuracy > 0) {
    const RunResult run = travel(conditions, method, made.system, 10'000, 1);
    const double x = run.end[6] - 4.761688621813367, y = run.end[7] + 1.498531656206141,
                 z = run.end[8] + 0.758534323470254;
    const double growth = amplification(conditions, method, made.system, 10'000, 1);
    const bool to_rounding = method.integrator->order >= 15;
    const double scale = std::hypot(3.5023653, 3.8169847, 1.5507963);
    const double errors = to_rounding ? 10 * 0x1p-53 * std::sqrt(run.steps) : method.accuracy * run.steps;
    return {.checks = {{fmt::format("Jupiter after 10000 days, {:.0f} steps: |Δx| in au", run.steps),
                        std::hypot(x, y, z), Bound::at_most(scale * growth * errors),
                        fmt::format("{}, amplified {:.3g} times; the reference is from 113-bit arithmetic",
                                    to_rounding ? "a random walk of rounding" : "the tolerance in every step", growth),
                        method.name()}}};
  }
  constexpr double year = 365.25;
  MeasuredRun run(conditions, made.system, method, year / (2 * std::numbers::pi));
  const double start = run->observe().observables.total_energy();
  run.advance(1000, true);
  const double error = std::abs(run->observe().observables.total_energy() / start - 1);
  const auto limit = std::ranges::find(limits, method.integrator->name, &Limit::name);
  const bool known = limit != std::end(limits);
  return {
      .checks = {{"|ΔE/E| after 1000 steps of 58.13 days", error, known ? Bound::at_most(limit->energy) : Bound::none(),
                  known ? "the limit in REBOUND's tests for this method"
                        : "REBOUND's limits for these orders, 3e-6 and 1e-9, are for Forest and Ruth's method and one "
                          "of nine stages: they do not bound the error constants of other methods",
                  method.name()}}};
}

/// Number of components whose bits differ.
std::int64_t different(const std::vector<double>& a, const std::vector<double>& b) {
  std::int64_t count = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    count += static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b[k]));
  return count;
}

Findings restart(const Conditions& conditions, const Method& method) {
  const Problem made = outer_solar_system();
  constexpr double dt = 17.3;
  MeasuredRun whole(conditions, made.system, method, dt), rest(conditions, made.system, method, dt);
  whole.advance(101);
  rest->resume(whole->state());
  whole.advance(170);
  rest.advance(170);
  return {
      .checks = {{"numbers that differ after a restart", static_cast<double>(different(whole.state(), rest.state())),
                  Bound::at_most(0), "a snapshot holds the complete state of a run", method.name()}}};
}

Findings collapse(const Conditions& conditions, const Method& method) {
  const Problem made = random_bodies("uniform-sphere");
  constexpr int steps = 1000;
  MeasuredRun run(conditions, made.system, method, made.timescale / steps);
  const auto radius = [&] {
    double sum = 0;
    const auto state = run.state();
    for (std::size_t k = 0; k < state.size(); k += 6)
      sum += state[k] * state[k] + state[k + 1] * state[k + 1] + state[k + 2] * state[k + 2];
    return std::sqrt(sum);
  };
  const double start = radius();
  run.advance(steps / 2);
  // x = cos²θ at time (θ + sin θ cos θ) 2/π; half the free-fall time is θ = 0.4160.
  double theta = 0.4;
  for (int k = 0; k < 20; ++k)
    theta -=
        (theta + std::sin(theta) * std::cos(theta) - std::numbers::pi / 4) / (2 * std::cos(theta) * std::cos(theta));
  const double half = radius() / start, expected = std::cos(theta) * std::cos(theta);
  double deepest = 0, when = 0;
  for (int k = steps / 2; k < steps * 6 / 5; k += 5) {
    run.advance(5, true);
    const double depth = -run->observe().observables.potential_energy;
    if (depth > deepest) deepest = depth, when = static_cast<double>(k + 5) / steps;
  }
  return {.checks = {
              {"r/r₀ after half a free-fall time", half, Bound::within(expected, 0.01),
               "x = cos²θ with θ + sin θ cos θ = πt/2T; 1024 random bodies are uniform to a hundredth", method.name()},
              {"time of the greatest depth, in free-fall times", when, Bound::within(1, 0.05),
               "T = (π/2) √(R³/2GM); random fluctuations spread the fall times of shells by a few hundredths",
               method.name()}}};
}

Findings cluster(const Conditions& conditions, const Method& method) {
  const Problem made = random_bodies("plummer");
  constexpr int steps = 400;
  MeasuredRun run(conditions, made.system, method, made.timescale / steps);
  double sum = 0;
  for (int k = 0; k < 20; ++k) {
    run.advance(steps / 20, true);
    const auto now = run->observe().observables;
    sum -= now.kinetic_energy / now.potential_energy / 20;
  }
  return {.checks = {{"T/|U|, mean over a crossing time", sum, Bound::within(0.5, 0.03),
                      "equilibrium; 1024 random bodies are virialised to 1/√N", method.name()}}};
}

void plan(bool quick, std::vector<Task>& tasks) {
  for (const Method& method : all_methods()) add_task(tasks, "lagrange-triangle", method, triangle);
  for (const Method& method : constant_methods()) {
    const int order = method.integrator->order;
    if (method.integrator->symplectic && order % 2 == 0 && order <= 6)
      add_task(tasks, "outer-solar-system", method, planets);
  }
  for (const Method& method : precise_methods()) add_task(tasks, "outer-solar-system", method, planets);
  for (const Method& method : all_methods()) add_task(tasks, "outer-solar-system", method, restart);
  if (quick) return;
  const Method leapfrog = constant_methods()[1];
  add_task(tasks, "uniform-sphere", leapfrog, collapse);
  add_task(tasks, "plummer", leapfrog, cluster);
}

}  // namespace

const ValidationSuite orbits_suite{
    .name = "orbits", .meaning = "known results for other systems; restarts", .plan = plan};

}  // namespace orrery::pipeline
