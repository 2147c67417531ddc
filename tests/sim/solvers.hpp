// SPDX-License-Identifier: MIT
// Shared by tests of force solvers: the list plus a toy, and systems that use one of them.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/solver.hpp"
#include "tests/sim/boxes.hpp"
#include "tests/sim/laws.hpp"
#include "tests/sim/toys/ascending/ascending.hpp"

namespace orrery::sim::testing {

inline std::vector<const ForceSolver*> every_solver() {
  std::vector<const ForceSolver*> all(force_solvers().begin(), force_solvers().end());
  all.push_back(&ascending_solver);
  return all;
}

/// With storage for jerks if the solver has them, in the first of the integrators' columns.
inline System solved_by(const ForceSolver& solver, System system) {
  system.solver = &solver;
  system.jerk = solver.has_jerk;
  system.scratch_columns = std::max(system.scratch_columns, 1);
  return system;
}

/// Whether it accepts laws without a cutoff; otherwise it accepts those with one.
inline bool reaches_far(const ForceSolver& solver) {
  return refusal_of(solver, solved_by(solver, system_of(cloud(2), 0)), Precision::float64).why.empty();
}

inline std::vector<NumberedLaw> laws_of(const ForceSolver& solver) {
  return reaches_far(solver) ? every_law() : every_short_range_law();
}

/// A cloud of n bodies, softened if the law allows it; with a cutoff about eight others are within it, no two bodies
/// are very close and all have a mass.
inline System cloud_for(const NumberedLaw& law, std::size_t n, double softening) {
  if (law.law->cutoff == nullptr) return system_of(law, charged_cloud(n), softening);
  return system_of(law, gas(n, 3, 0.8 * law.cutoff()), 0);
}

/// A cloud of n bodies with a law that the solver accepts.
inline System served_by(const ForceSolver& solver, std::size_t n) {
  if (reaches_far(solver)) return solved_by(solver, system_of(cloud(n), 0.05));
  return solved_by(solver, cloud_for(every_short_range_law().front(), n, 0));
}

}  // namespace orrery::sim::testing
