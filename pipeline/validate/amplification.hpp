// SPDX-License-Identifier: MIT
// Amplification of a small initial error over an orbit.
#pragma once

#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {

/// Initial and final state of a run, see state_of.
struct RunResult {
  std::vector<double> start, end;
  double steps;  ///< constant or adaptive
};
/// Runs over `time` in `steps` steps of dt; an adaptive method chooses its own within them.
RunResult travel(const Conditions& conditions, const Method& method, const sim::System& system, double time,
                 std::int64_t steps);

/// Each component of a state in units of its body's initial distance from the origin, or initial speed.
std::vector<double> in_units_of(const std::vector<double>& start, std::vector<double> state);

/// √Σ |∂ end / ∂ start|² in those units, by finite differences: one run per component, disturbed by 1e-8. It is a
/// property of the orbit, so the tolerance of the runs is at least 1e-9.
double amplification(const Conditions& conditions, Method method, const sim::System& system, double time,
                     std::int64_t steps);

/// The maximum component of a state along the run, in those units; rounding errors scale with it.
double greatest_on_the_way(const Conditions& conditions, const Method& method, const sim::System& system, double time);

}  // namespace orrery::pipeline
