// SPDX-License-Identifier: MIT
// The acceptance criterion: how two cells act on each other, by expansions, body by body, or through their children. One
// definition for the processor and for CUDA threads, in the operations of sim/arithmetic.hpp.
#pragma once

#include <cstdint>

#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::tree {

/// How wide a cell may be seen from another one, from its share of the sources' weight: heavy cells are opened sooner.
/// θ^(P+2)/(1 − θ)² goes with share^(−1/3), as the error of the force does (Dehnen 2002), from `narrow` for the whole
/// weight up to `wide`; found by twelve halvings.
template <class Real>
ORRERY_EVERYWHERE Real opening_angle(Real share, int order, Real narrow, Real wide) {
  const auto bound = [order](Real x) {
    Real y = x * x;
    for (int k = 2; k < order + 2; ++k) y = y * x;
    const Real rest = Real(1.0) - x;
    return y / (rest * rest);
  };
  const Real b = bound(narrow), least = (b * b) * b;
  Real low = narrow, high = wide;
  for (int k = 0; k < 12; ++k) {
    const Real middle = Real(0.5) * (low + high), y = bound(middle);
    const auto below = less(((y * y) * y) * share, least);
    low = select(below, middle, low);
    high = select(below, high, middle);
  }
  return low;
}

/// Whether two cells at a distance d of their centres may act by expansions, for their reaches, which are radii over
/// opening angles. The second condition keeps one wide cell from coming close to a small one, where its series would
/// hardly converge.
template <class Real>
ORRERY_EVERYWHERE auto are_apart(const Triple<Real>& d, Real reach, Real other) -> decltype(less(reach, other)) {
  const Real d2 = fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)), both = reach + other, wider = maximum(reach, other);
  return less(maximum(both * both, Real(16.0 / 9) * (wider * wider)), d2);
}

struct Party {
  double reach;
  std::uint32_t cell, bodies;
  bool leaf;
};

enum class Acceptance {
  far,      ///< the source's moments act on the target's series
  near,     ///< body by body
  split,    ///< the source's children take its place
  descend,  ///< left to the target's children
};

/// Two leaves with at most this number of pairs of bodies meet body by body at any distance: moments would cost more.
ORRERY_EVERYWHERE constexpr std::uint64_t few_pairs(int order) {
  return static_cast<std::uint64_t>(size_of(order));
}

/// Symmetric in the two cells but for the names of the last two results, so that each pair of bodies meets in the same
/// way from both sides.
ORRERY_EVERYWHERE Acceptance acceptance(const Party& target, const Party& source, bool apart, int order) {
  // Without short cuts: branches could not be predicted.
  const bool leaves = target.leaf & source.leaf;
  const bool few = std::uint64_t{target.bodies} * source.bodies <= few_pairs(order);
  const bool wider_source =
      (source.reach > target.reach) | ((source.reach == target.reach) & (source.cell < target.cell));
  const Acceptance others = (!source.leaf) & (target.leaf | wider_source) ? Acceptance::split : Acceptance::descend;
  return apart & (!(leaves & few)) ? Acceptance::far : leaves ? Acceptance::near : others;
}

}  // namespace orrery::sim::tree
