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

const ForceSolver& default_solver(const ForceLaw& law) {
  return law.cutoff != nullptr ? cells_solver : direct_solver;
}

const ForceSolver* solver_with(std::string_view parameter) {
  const auto found = std::ranges::find_if(force_solvers(), [&](const ForceSolver* solver) {
    return std::ranges::find(solver->parameters, parameter, &Parameter::name) != solver->parameters.end();
  });
  return found == force_solvers().end() ? nullptr : *found;
}

const ForceSolver& solver_of(const System& system) {
  if (system.solver != nullptr) return *system.solver;
  const auto with_cutoff = std::ranges::find_if(system.forces, is_short_range);
  return with_cutoff != system.forces.end() ? default_solver(*with_cutoff->law) : *force_solvers().front();
}

const ForceSolver& checked_solver(const System& system, Precision precision) {
  const ForceSolver& solver = solver_of(system);
  if (const Refusal refusal = solver.refusal(system, precision); !refusal.why.empty())
    throw Error(refusal.why, Fault::request);
  return solver;
}

}  // namespace orrery::sim
