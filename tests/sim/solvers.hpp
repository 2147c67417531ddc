// SPDX-License-Identifier: MIT
// What tests of force solvers share: the list with a toy besides, and systems that name one of them.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/solver.hpp"
#include "tests/sim/laws.hpp"
#include "tests/sim/toys/ascending/ascending.hpp"

namespace orrery::sim::testing {

inline std::vector<const ForceSolver*> every_solver() {
  std::vector<const ForceSolver*> all(force_solvers().begin(), force_solvers().end());
  all.push_back(&ascending_solver);
  return all;
}

/// With room for jerks where the solver has them, in the first of the integrators' columns.
inline System solved_by(const ForceSolver& solver, System system) {
  system.solver = &solver;
  system.jerk = solver.has_jerk;
  system.own_columns = std::max(system.own_columns, 1);
  return system;
}

}  // namespace orrery::sim::testing
