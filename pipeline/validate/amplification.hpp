// SPDX-License-Identifier: MIT
// How much of a small error at the start is left, or rather more, at the end of an orbit.
#pragma once

#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {

/// A run over a time, and what came of it. States are as MeasuredRun gives them.
struct RunResult {
  std::vector<double> start, end;
  double steps;  ///< that it took, of dt or of its own
};
RunResult travel(const Context& context, const Method& method, const sim::System& system, double time,
                 std::int64_t steps);

/// Every component of a state in units of its body's distance from the origin, or its speed, at the start.
std::vector<double> in_units_of(const std::vector<double>& start, std::vector<double> state);

/// √Σ |∂ end / ∂ start|² in those units: the run once more for every component, each changed by 1e-8. It is the orbit's,
/// and does not need a tolerance below 1e-9.
double amplification(const Context& context, Method method, const sim::System& system, double time, std::int64_t steps);

/// The greatest component of a state in those units, on the way: rounding there is as much larger.
double greatest_on_the_way(const Context& context, const Method& method, const sim::System& system, double time);

}  // namespace orrery::pipeline
