// SPDX-License-Identifier: MIT
// Elements of a matrix of pairs: one definition for SIMD lanes and CUDA threads, of operations that IEEE 754 rounds
// correctly. So the bits are the same everywhere, and an element does not depend on the order of its two bodies.
//
// Besides the operations of sim/arithmetic.hpp, `Real` has division and square_root(x). A distance is
// √((Δx·Δx + Δy·Δy) + Δz·Δz) with every operation rounded; laws compute r² as their forces do.
#pragma once

#include <cstddef>

#include "sim/arithmetic.hpp"
#include "sim/forces/list.hpp"
#include "sim/matrix/numbers.hpp"

namespace orrery::sim::matrix {

/// nearest_image of sim/domain.hpp; a period of 0 changes nothing.
template <class Real>
ORRERY_EVERYWHERE Real nearest(Real d, double period) {
  const Real half(0.5 * period), all(period);
  return select(less(half, d), d - all, select(less(d, Real(0) - half), d + all, d));
}

template <bool periodic, class Real>
ORRERY_EVERYWHERE Triple<Real> apart(Triple<Real> i, Triple<Real> j, const MatrixNumbers& numbers) {
  Triple<Real> d{j.x - i.x, j.y - i.y, j.z - i.z};
  if constexpr (periodic)
    d = {nearest(d.x, numbers.period[0]), nearest(d.y, numbers.period[1]), nearest(d.z, numbers.period[2])};
  return d;
}

template <class Real>
ORRERY_EVERYWHERE Real square(const Triple<Real>& d) {
  return (d.x * d.x + d.y * d.y) + d.z * d.z;
}

/// Returns y^(halves/2) for 0 < halves < 32 by binary powers, from the lowest bit, then √y.
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

/// r² in double, then a function of it in either precision.
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

/// Potential factor·(w·u) or force factor·(w·(c·r)) of a law, in double.
template <class Law, bool has_cutoff, bool is_force>
struct OfLaw {
  static constexpr bool is_law = true;
  template <class Real>
  static ORRERY_EVERYWHERE Real of(const Triple<Real>& d, Real weight, const MatrixNumbers& numbers) {
    const Law law(numbers.law);
    const Real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, Real(numbers.softening2))));
    const Real clamped = maximum(r2, Real(numbers.min_r2));
    Real value(0);
    if constexpr (is_force) {
      value = law.force_over_r(clamped) * square_root(square(d));
    } else {
      value = law.u(clamped);
    }
    value = Real(numbers.factor) * (weight * value);
    if constexpr (has_cutoff) value = select(less(Real(numbers.cutoff2), r2), Real(0), value);
    return value;
  }
};

/// Formula 0: distance; 1: inverse power; 2 + 2l, 3 + 2l: potential and force of law l, laws without a cutoff first.
inline constexpr std::size_t first_law = 2;

template <class... Formula>
struct FormulaList {};
template <class... A, class... B>
constexpr FormulaList<A..., B...> operator+(FormulaList<A...>, FormulaList<B...>) {
  return {};
}
template <bool has_cutoff, class... Law>
constexpr auto of_laws() {
  return (FormulaList<>{} + ... + FormulaList<OfLaw<Law, has_cutoff, false>, OfLaw<Law, has_cutoff, true>>{});
}
template <class... Law, class... ShortRange>
constexpr auto formulas_of(LawList<Law...>, LawList<ShortRange...>) {
  return FormulaList<Distance, Inverse>{} + of_laws<false, typename Law::Interaction...>() +
         of_laws<true, ShortRange...>();
}
using Formulas = decltype(formulas_of(Laws{}, ShortRangeLaws{}));

/// The sum of a binary tree of 2^levels leaves, which are added in order; `total` is valid after the last one.
template <int levels>
struct Tree {
  double pending[levels], total;

  ORRERY_EVERYWHERE void add(unsigned leaf, double sum) {
    for (int level = 0; level < levels; ++level) {
      if ((leaf >> level & 1U) == 0) {
        pending[level] = sum;
        return;
      }
      sum = pending[level] + sum;
    }
    total = sum;
  }
};

}  // namespace orrery::sim::matrix
