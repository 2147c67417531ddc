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

namespace {

std::string quoted(std::string_view name) {
  return '"' + std::string(name) + '"';
}

/// The names of these precisions: "float64" or "float32".
std::string choice_of(std::span<const Precision> precisions) {
  std::string words;
  for (const Precision one : precisions) words += (words.empty() ? "" : " or ") + quoted(name_of(one));
  return words;
}

Refusal refusal_of_laws(const ForceSolver& solver, const System& system) {
  for (const PairForce& force : system.forces) {
    const std::string name(force.law->name);
    if (is_short_range(force) && !solver.short_range) {
      return {"force.method", quoted(solver.name) + " is for laws without a cutoff, and " + name +
                                  " has one: use \"cells\", or remove `method`"};
    }
    if (!is_short_range(force) && !solver.long_range) {
      return {"force.method", quoted(solver.name) + " needs a law with a cutoff, which " + name +
                                  " is not: use \"direct\", or remove `method`"};
    }
    if (is_foreign(force) && !solver.functions) {
      return {"force.method", quoted(solver.name) + " takes laws of its own list, and " + name +
                                  " is a function of the program: use \"direct\", or remove `method`"};
    }
    if (is_short_range(force) && system.forces.size() > 1)
      return {"force.kind", "a law with a cutoff must be the only pair force: remove the others"};
    if (!is_short_range(force) && system.domain.is_periodic()) {
      return {"domain.boundary", "in a periodic box " + name +
                                     " would act between infinitely many images, which this program does not sum: take "
                                     "boundary = \"open\" or \"reflecting\", or a law with a cutoff"};
    }
  }
  return {};
}

/// Jerks of what has none.
Refusal refusal_of_jerks(const ForceSolver& solver, const System& system) {
  const std::string needs = integrator_of(system) + " needs time derivatives of forces, ";
  for (const PairForce& force : system.forces) {
    if (is_short_range(force))
      return {"integrator.kind", needs + "which laws with a cutoff do not provide: use leapfrog"};
    if (!solver.has_jerk) {
      return {"integrator.kind", needs + "which method = " + quoted(solver.name) +
                                     " does not provide: use leapfrog or yoshida4, or method = \"direct\""};
    }
    if (force.law->force_over_r_slope == nullptr) {
      return {"integrator.kind",
              needs + "for which the law " + quoted(force.law->name) + " gives no slope: use leapfrog or yoshida4"};
    }
  }
  for (const ExternalField& field : system.fields) {
    if (field.law->jerk != nullptr) continue;
    return {"integrator.kind", needs + "for which the field " + quoted(field.law->name) +
                                   " as a function of the program gives none: use leapfrog or yoshida4"};
  }
  return {};
}

Refusal refusal_of_precision(const ForceSolver& solver, const System& system, Precision precision) {
  if (precision == Precision::float64) return {};
  for (const PairForce& force : system.forces) {
    if (precision == Precision::mixed && is_short_range(force))
      return {"backend.precision",
              "\"mixed\" is not supported for a law with a cutoff: use \"float64\" or \"float32\""};
    if (std::ranges::find(solver.precisions, precision) == solver.precisions.end()) {
      return {"backend.precision", quoted(name_of(precision)) + " is not supported with method = " +
                                       quoted(solver.name) + ": use " + choice_of(solver.precisions)};
    }
    if (is_foreign(force)) {
      return {"backend.precision", "the law " + quoted(force.law->name) +
                                       " is a function of the program, which computes in \"float64\" only"};
    }
  }
  return {};
}

}  // namespace

Refusal refusal_of(const ForceSolver& solver, const System& system, Precision precision) {
  if (Refusal of_laws = refusal_of_laws(solver, system); !of_laws.why.empty()) return of_laws;
  if (system.jerk) {
    if (Refusal of_jerks = refusal_of_jerks(solver, system); !of_jerks.why.empty()) return of_jerks;
  }
  if (Refusal of_bits = refusal_of_precision(solver, system, precision); !of_bits.why.empty()) return of_bits;
  return solver.refusal == nullptr ? Refusal() : solver.refusal(system, precision);
}

const ForceSolver& checked_solver(const System& system, Precision precision) {
  const ForceSolver& solver = solver_of(system);
  if (const Refusal refusal = refusal_of(solver, system, precision); !refusal.why.empty())
    throw Error(refusal.why, Fault::request);
  return solver;
}

}  // namespace orrery::sim
