// SPDX-License-Identifier: MIT
// The list of force solvers: one include and one entry each.
#include "sim/solver.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/tree/tree.hpp"

namespace orrery::sim {

std::span<const ForceSolver* const> force_solvers() {
  static constexpr const ForceSolver* list[] = {
      &direct_solver,
      &cells_solver,
      &tree_solver,
  };
  return list;
}

const ForceSolver& solver_of(const System& system) {
  if (system.solver != nullptr) return *system.solver;
  return std::ranges::any_of(system.forces, is_short_range) ? cells_solver : direct_solver;
}

const ForceSolver& checked_solver(const System& system, Precision precision) {
  const ForceSolver& solver = solver_of(system);
  if (const std::string why = solver.refusal(system, precision); !why.empty()) throw Error(why, 2);
  return solver;
}

}  // namespace orrery::sim
