// SPDX-License-Identifier: MIT
// The requirements on the class of a force law, checked at compile time for all listed laws and number types.
#pragma once

#include <concepts>

#include "sim/force.hpp"
#include "sim/forces/list.hpp"

namespace orrery::sim {

/// What loops over pairs need: constructed from a law's parameters, `force_over_r` (c), its slope and u as functions of
/// r² (see ForceLaw) in the operations of sim/arithmetic.hpp. `Real` is a scalar, SIMD lanes or a number of a CUDA thread.
/// `is_inverse_square`: c is inverse_cube(r²), which a GPU computes in a dedicated way in mixed precision; other laws
/// use powers of inverse_root(r²).
template <class Pair, class Real>
concept PairInteraction = std::constructible_from<Pair, const LawParameters&> && requires(const Pair& pair, Real r2) {
  { pair.force_over_r(r2) } -> std::same_as<Real>;
  { pair.force_over_r_slope(r2) } -> std::same_as<Real>;
  { pair.u(r2) } -> std::same_as<Real>;
  { Pair::is_inverse_square } -> std::same_as<const bool&>;
};

/// A law has a description and its own loops over pairs or those of another law.
template <class Law, class Real>
concept PairLaw = PairInteraction<typename Law::Interaction, Real> && requires {
  { Law::law } -> std::same_as<const ForceLaw&>;
};

/// The same for a law with a cutoff: c and u for r² up to the cutoff; loops skip pairs beyond it.
template <class Law, class Real>
concept ShortRangeLaw = std::constructible_from<Law, const LawParameters&> && requires(const Law& law, Real r2) {
  { law.force_over_r(r2) } -> std::same_as<Real>;
  { law.u(r2) } -> std::same_as<Real>;
  { Law::law } -> std::same_as<const ForceLaw&>;
};

/// True; if a law does not satisfy the concept, the compiler names it and the missing requirement.
template <class Real, ShortRangeLaw<Real>... Law>
consteval bool are_short_range_laws(LawList<Law...>) {
  return true;
}
template <class Real, PairLaw<Real>... Law>
consteval bool are_pair_laws(LawList<Law...>) {
  return true;
}

}  // namespace orrery::sim
