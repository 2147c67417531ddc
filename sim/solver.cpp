// SPDX-License-Identifier: MIT
// The list of force solvers: one include and one entry each.
#include "sim/solver.hpp"

#include "sim/solvers/direct/direct.hpp"

namespace orrery::sim {

std::span<const ForceSolver* const> force_solvers() {
  static constexpr const ForceSolver* list[] = {
      &direct_solver,
  };
  return list;
}

const ForceSolver& solver_of(const System& system) {
  return system.solver != nullptr ? *system.solver : *force_solvers().front();
}

}  // namespace orrery::sim
