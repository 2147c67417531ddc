// SPDX-License-Identifier: MIT
// The list of force solvers: one include and one entry each.
#include "sim/solver.hpp"

#include "common/error.hpp"
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

const ForceSolver& fitting_solver(const System& system) {
  const ForceSolver& solver = solver_of(system);
  if (const std::string why = solver.refusal(system); !why.empty()) throw Error(why, 2);
  if (!system.domain.is_open()) throw Error("no solver of this version keeps bodies in a domain that has ends", 2);
  return solver;
}

}  // namespace orrery::sim
