// SPDX-License-Identifier: MIT
#include "pipeline/validate/amplification.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::pipeline {
namespace {

constexpr double change = 1e-8;

/// The distance of a body from the origin (k = 0, 6, …) or its speed (k = 3, 9, …); if that is 0, the minimum of the
/// other bodies' nonzero values, or 1 if there are none.
double unit(const std::vector<double>& start, std::size_t k) {
  const auto size = [&](std::size_t j) { return std::hypot(start[j], start[j + 1], start[j + 2]); };
  if (size(k) > 0) return size(k);
  double least = 0;
  for (std::size_t j = k % 6; j < start.size(); j += 6) {
    if (size(j) > 0 && (least == 0 || size(j) < least)) least = size(j);
  }
  return least > 0 ? least : 1;
}

}  // namespace

RunResult travel(const Conditions& conditions, const Method& method, const sim::System& system, double time,
                 std::int64_t steps) {
  MeasuredRun run(conditions, system, method, time / static_cast<double>(steps));
  RunResult result{.start = run.state(), .end = {}, .steps = 0};
  run.advance(steps);
  result.end = run.state();
  result.steps = static_cast<double>(std::max(steps, run->clock().steps));
  return result;
}

std::vector<double> in_units_of(const std::vector<double>& start, std::vector<double> state) {
  for (std::size_t k = 0; k < state.size(); ++k) state[k] /= unit(start, k - k % 3);
  return state;
}

double amplification(const Conditions& conditions, Method method, const sim::System& system, double time,
                     std::int64_t steps) {
  if (method.accuracy > 0) method.accuracy = std::max(method.accuracy, 1e-9);
  const RunResult plain = travel(conditions, method, system, time, steps);
  const auto end = in_units_of(plain.start, plain.end);
  double sum = 0;
  for (auto column : {&sim::Bodies::position, &sim::Bodies::velocity}) {
    for (auto axis : {&sim::Vectors::x, &sim::Vectors::y, &sim::Vectors::z}) {
      for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        sim::System neighbour = system;
        const double by = change * unit(plain.start, 6 * i + (column == &sim::Bodies::position ? 0 : 3));
        (neighbour.bodies.*column.*axis)[i] += by;
        const RunResult other = travel(conditions, method, neighbour, time, steps);
        sum += std::pow(distance(in_units_of(plain.start, other.end), end) / change, 2);
      }
    }
  }
  return std::sqrt(sum);
}

double greatest_on_the_way(const Conditions& conditions, const Method& method, const sim::System& system, double time) {
  constexpr int samples = 2000;
  MeasuredRun run(conditions, system, method, time / samples);
  const auto start = run.state();
  double greatest = 0;
  for (int k = 0; k < samples; ++k) {
    run.advance(1);
    for (const double number : in_units_of(start, run.state())) greatest = std::max(greatest, std::abs(number));
  }
  return greatest;
}

}  // namespace orrery::pipeline
