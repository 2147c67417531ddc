// SPDX-License-Identifier: MIT
// A pair and the sums that it is added to: one definition for SIMD lanes and CUDA threads, in double and in float.
#pragma once

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// What both bodies of a pair have in common, up to signs: d = x_j − x_i, c(r²), and u(r²) or d(c·d)/dt.
template <class Real, Outputs outputs>
struct Pair {
  Triple<Real> d;
  Real c, u{0.0};
  Triple<Real> change{Real(0.0), Real(0.0), Real(0.0)};

  /// `v` returns v_j − v_i; called only for a jerk.
  template <class Law, class Velocity>
  ORRERY_EVERYWHERE Pair(const Law& law, const Triple<Real>& apart, Real softening2, const Velocity& v)
      : d(apart), c(0.0) {
    const Real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, softening2)));
    c = law.force_over_r(r2);
    if constexpr (outputs == Outputs::potential) u = law.u(r2);
    if constexpr (outputs == Outputs::jerk) change = rate_of_change(d, v(), c, law.force_over_r_slope(r2));
  }

  /// Replaces c, u and change by masked(…), which returns 0 if the pair does not count, since 0 · ∞ would be NaN.
  template <class Masked>
  ORRERY_EVERYWHERE void mask(const Masked& masked) {
    c = masked(c);
    if constexpr (outputs == Outputs::potential) u = masked(u);
    if constexpr (outputs == Outputs::jerk) change = {masked(change.x), masked(change.y), masked(change.z)};
  }
};

/// Sums over pairs for one body: an acceleration, and a potential or a jerk. Named members, since GCC would unroll
/// loops over lanes around an array, which costs a tenth.
template <class Real, Outputs outputs>
struct Sums {
  static constexpr bool with_potential = outputs == Outputs::potential, with_jerk = outputs == Outputs::jerk;
  Real x{0.0}, y{0.0}, z{0.0}, u{0.0};
  Triple<Real> j{Real(0.0), Real(0.0), Real(0.0)};

  /// Adds the action of j, of weight w, on i.
  ORRERY_EVERYWHERE void add_to_i(const Pair<Real, outputs>& pair, Real w) {
    const Real s = w * pair.c;
    x = fma(pair.d.x, s, x), y = fma(pair.d.y, s, y), z = fma(pair.d.z, s, z);
    if constexpr (with_potential) u = fma(w, pair.u, u);
    if constexpr (with_jerk) {
      j = {fma(pair.change.x, w, j.x), fma(pair.change.y, w, j.y), fma(pair.change.z, w, j.z)};
    }
  }
  /// Adds the action of i, of weight w, on j.
  ORRERY_EVERYWHERE void add_to_j(const Pair<Real, outputs>& pair, Real w) {
    const Real s = w * pair.c;
    x = nfma(pair.d.x, s, x), y = nfma(pair.d.y, s, y), z = nfma(pair.d.z, s, z);
    if constexpr (with_potential) u = fma(w, pair.u, u);
    if constexpr (with_jerk) {
      j = {nfma(pair.change.x, w, j.x), nfma(pair.change.y, w, j.y), nfma(pair.change.z, w, j.z)};
    }
  }
  /// Calls act(q, sum) for each of the outputs_per_body(outputs) sums.
  template <class Act>
  ORRERY_EVERYWHERE void each(const Act& act) {
    act(0, x), act(1, y), act(2, z);
    if constexpr (with_potential) act(3, u);
    if constexpr (with_jerk) act(3, j.x), act(4, j.y), act(5, j.z);
  }
};

}  // namespace orrery::sim
