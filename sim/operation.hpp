// SPDX-License-Identifier: MIT
// The operations that steps of integrators consist of. Backends execute them, and everything that fuses, records, keeps
// or shares them reads the same ones: passes of resident solvers, CUDA graphs, ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// A column of the state, one vector per body. Columns from `scratch` on are those of the integrator, scratch_column(0),
/// scratch_column(1), … in the order of Integrator::columns.
enum class Column : int { position, velocity, acceleration, scratch };

constexpr Column scratch_column(int k) {
  return static_cast<Column>(static_cast<int>(Column::scratch) + k);
}

/// factor · source
struct Term {
  double factor;
  Column source;
  friend bool operator==(const Term&, const Term&) = default;
};

/// Maximum number of terms of a combination.
inline constexpr std::size_t max_terms = 32;

struct Operation {
  enum class Verb : std::uint8_t {
    evaluate,  ///< a ← Σ forces, and the potential or, in `column`, the jerk, as `outputs` says
    kick,      ///< v ← v + dt·a
    drift,     ///< x ← x + dt·v, followed by the boundary conditions of the domain
    combine    ///< column ← Σₖ factorₖ · sourceₖ
  };

  Verb verb = Verb::evaluate;
  Outputs outputs = Outputs::forces;
  Column column = Column::acceleration;
  double dt = 0;
  std::span<const Term> terms{};  ///< owned by the caller

  static constexpr Operation kick(double dt) { return {.verb = Verb::kick, .dt = dt}; }
  static constexpr Operation drift(double dt) { return {.verb = Verb::drift, .dt = dt}; }
  [[nodiscard]] constexpr bool is_evaluation() const { return verb == Verb::evaluate; }
  [[nodiscard]] constexpr bool is_kick() const { return verb == Verb::kick; }
  [[nodiscard]] constexpr bool is_drift() const { return verb == Verb::drift; }

  friend constexpr bool operator==(const Operation& a, const Operation& b) {
    return a.verb == b.verb && a.outputs == b.outputs && a.column == b.column && a.dt == b.dt &&
           std::ranges::equal(a.terms, b.terms);
  }
};

/// Calls use(target, terms) with the combination that a kick, a combination, or a drift before its boundary conditions is.
template <class Use>
void as_combination(const Operation& one, const Use& use) {
  if (one.verb == Operation::Verb::combine) return use(one.column, one.terms);
  const auto [target, rate] =
      one.is_kick() ? std::pair(Column::velocity, Column::acceleration) : std::pair(Column::position, Column::velocity);
  const Term terms[] = {{1, target}, {one.dt, rate}};
  use(target, std::span<const Term>(terms));
}

}  // namespace orrery::sim
