// SPDX-License-Identifier: MIT
// The action of one body on another, written once for the host and for a GPU.
#pragma once

#include "sim/arithmetic.hpp"

namespace orrery::sim::testing::ascending {

/// The action of the others on a body. At most one of potential and jerk is computed; the other stays 0.
template <class Real>
struct Sums {
  Real x{0.0}, y{0.0}, z{0.0}, u{0.0};
  Triple<Real> jerk{Real(0.0), Real(0.0), Real(0.0)};

  /// Adds a body of weight w ≠ 0 at relative position d with relative velocity v.
  template <class Law>
  ORRERY_EVERYWHERE void interact(const Law& law, const Triple<Real>& d, const Triple<Real>& v, Real w, Real softening2,
                                  Outputs outputs) {
    const Real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, softening2)));
    const Real c = law.force_over_r(r2), s = w * c;
    x = fma(d.x, s, x), y = fma(d.y, s, y), z = fma(d.z, s, z);
    if (outputs == Outputs::potential) u = fma(w, law.u(r2), u);
    if (outputs != Outputs::jerk) return;
    const Triple<Real> change = rate_of_change(d, v, c, law.force_over_r_slope(r2));
    jerk = {fma(w, change.x, jerk.x), fma(w, change.y, jerk.y), fma(w, change.z, jerk.z)};
  }
};

}  // namespace orrery::sim::testing::ascending
