// SPDX-License-Identifier: MIT
// The contract of a force law's class, which the compiler checks for every law of the list in every kind of number.
#pragma once

#include <concepts>
#include <type_traits>

#include "sim/force.hpp"
#include "sim/forces/list.hpp"

namespace orrery::sim {

/// What a loop over pairs asks for: made of a law's numbers, it gives c, its slope and u of r² (see ForceLaw) in the
/// words of sim/arithmetic.hpp. `Real` is a scalar, a vector of lanes or a number of a CUDA thread. `is_inverse_square`
/// says that c is inverse_cube(r²) and nothing else; other laws take powers of inverse_root(r²), since a GPU in mixed
/// precision gives cubes in a unit of its own.
template <class Pair, class Real>
concept PairInteraction = std::constructible_from<Pair, const LawNumbers&> && requires(const Pair& pair, Real r2) {
  { pair.c(r2) } -> std::same_as<Real>;
  { pair.slope(r2) } -> std::same_as<Real>;
  { pair.u(r2) } -> std::same_as<Real>;
  { Pair::is_inverse_square } -> std::same_as<const bool&>;
};

/// A law has a description, and loops over pairs of its own or those of another law.
template <class Law, class Real>
concept PairLaw = PairInteraction<typename Law::Interaction, Real> && requires {
  { Law::law } -> std::same_as<const ForceLaw&>;
};

/// The same of a law with a cutoff: c and u of r² up to that distance, where loops leave out what is beyond.
template <class Law, class Real>
concept ShortRangeLaw = std::constructible_from<Law, const LawNumbers&> && requires(const Law& law, Real r2) {
  { law.c(r2) } -> std::same_as<Real>;
  { law.u(r2) } -> std::same_as<Real>;
  { Law::law } -> std::same_as<const ForceLaw&>;
};

/// Law after law, so that the compiler says what is missing and to which.
template <class Law, class Real>
requires PairLaw<Law, Real>
struct CheckedLaw : std::true_type {
};

template <class Law, class Real>
requires ShortRangeLaw<Law, Real>
struct CheckedShortRangeLaw : std::true_type {
};

/// True, or it does not compile.
template <class Real, class... Law>
consteval bool are_short_range_laws(LawList<Law...>) {
  return (CheckedShortRangeLaw<Law, Real>::value && ...);
}
template <class Real, class... Law>
consteval bool are_pair_laws(LawList<Law...>) {
  return (CheckedLaw<Law, Real>::value && ...);
}

}  // namespace orrery::sim
