// SPDX-License-Identifier: MIT
// Elements of a matrix of pairs, written once for a SIMD lane and a CUDA thread, of operations that IEEE 754 rounds alone: bits
// are the same everywhere, and an element does not change with the order of its two bodies.
//
// Besides the words of sim/arithmetic.hpp, `Real` has a quotient and square_root(x). Distances are those that
// √((Δx·Δx + Δy·Δy) + Δz·Δz) comes to with every operation rounded; laws take r² as their forces do.
#pragma once

#include <cstddef>

#include "sim/arithmetic.hpp"
#include "sim/forces/list.hpp"
#include "sim/matrix/numbers.hpp"

namespace orrery::sim::matrix {

/// As sim/domain.hpp has it; a period of 0 changes nothing.
template <class Real>
ORRERY_EVERYWHERE Real nearest(Real d, double period) {
  const Real half(0.5 * period), all(period);
  return select(less(half, d), d - all, select(less(d, Real(0) - half), d + all, d));
}

template <bool joined, class Real>
ORRERY_EVERYWHERE Triple<Real> apart(Triple<Real> i, Triple<Real> j, const MatrixNumbers& numbers) {
  Triple<Real> d{j.x - i.x, j.y - i.y, j.z - i.z};
  if constexpr (joined)
    d = {nearest(d.x, numbers.period[0]), nearest(d.y, numbers.period[1]), nearest(d.z, numbers.period[2])};
  return d;
}

template <class Real>
ORRERY_EVERYWHERE Real square(const Triple<Real>& d) {
  return (d.x * d.x + d.y * d.y) + d.z * d.z;
}

/// y^(k/2) for 0 < k < 32: the powers of y that the bits of k/2 name, from the lowest, then √y.
template <class Real>
ORRERY_EVERYWHERE Real half_power(Real y, int halves) {
  const int k = halves >> 1;
  const Real y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
  Real product = (k & 1) != 0 ? y : Real(1);
  if ((k & 2) != 0) product = product * y2;
  if ((k & 4) != 0) product = product * y4;
  if ((k & 8) != 0) product = product * y8;
  if ((halves & 1) != 0) product = product * square_root(y);
  return product;
}

/// r², with or without ε², in double; then a function of it in either precision.
struct Distance {
  static constexpr bool is_law = false;
  template <class Real>
  static ORRERY_EVERYWHERE Real r2(const Triple<Real>& d, const MatrixNumbers&) {
    return square(d);
  }
  template <class Number>
  static ORRERY_EVERYWHERE Number of(Number r2, const MatrixNumbers&) {
    return square_root(r2);
  }
};
struct Inverse {
  static constexpr bool is_law = false;
  template <class Real>
  static ORRERY_EVERYWHERE Real r2(const Triple<Real>& d, const MatrixNumbers& numbers) {
    return square(d) + Real(numbers.softening2);
  }
  template <class Number>
  static ORRERY_EVERYWHERE Number of(Number r2, const MatrixNumbers& numbers) {
    return half_power(Number(1) / square_root(r2), numbers.halves);
  }
};

/// Of a law, in double: factor·(w·u), or factor·(w·(c·r)) with the factor's sign changed.
template <class Law, bool has_cutoff, bool is_force>
struct OfLaw {
  static constexpr bool is_law = true;
  template <class Real>
  static ORRERY_EVERYWHERE Real of(const Triple<Real>& d, Real weight, const MatrixNumbers& numbers) {
    const Law law(numbers.law);
    const Real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, Real(numbers.softening2))));
    const Real held = maximum(r2, Real(numbers.least_r2));
    Real value(0);
    if constexpr (is_force) {
      value = law.c(held) * square_root(square(d));
    } else {
      value = law.u(held);
    }
    value = Real(numbers.factor) * (weight * value);
    if constexpr (has_cutoff) value = select(less(Real(numbers.cutoff2), r2), Real(0), value);
    return value;
  }
};

/// formula 0: distance; 1: inverse power; 2 + 2l, 3 + 2l: potential and force of law l, those without a cutoff first.
inline constexpr std::size_t first_law = 2;

template <class... Formula>
struct FormulaList {};

template <bool has_cutoff, class... Formula>
constexpr auto with_laws(FormulaList<Formula...> list, LawList<>) {
  return list;
}
template <class Law>
struct LoopsOf {
  using Type = Law;
};
template <class Law>
requires requires {
  typename Law::Interaction;
}
struct LoopsOf<Law> {
  using Type = typename Law::Interaction;
};
template <bool has_cutoff, class... Formula, class Law, class... Rest>
constexpr auto with_laws(FormulaList<Formula...>, LawList<Law, Rest...>) {
  using Loops = typename LoopsOf<Law>::Type;
  return with_laws<has_cutoff>(
      FormulaList<Formula..., OfLaw<Loops, has_cutoff, false>, OfLaw<Loops, has_cutoff, true>>{}, LawList<Rest...>{});
}

using Formulas =
    decltype(with_laws<true>(with_laws<false>(FormulaList<Distance, Inverse>{}, Laws{}), ShortRangeLaws{}));

/// A sum of leaves as they come, of a binary tree over 2^levels of them: total is there behind the last.
template <int levels>
struct Tree {
  double waiting[levels], total;

  ORRERY_EVERYWHERE void add(unsigned leaf, double sum) {
    for (int level = 0; level < levels; ++level) {
      if ((leaf >> level & 1U) == 0) {
        waiting[level] = sum;
        return;
      }
      sum = waiting[level] + sum;
    }
    total = sum;
  }
};

}  // namespace orrery::sim::matrix
