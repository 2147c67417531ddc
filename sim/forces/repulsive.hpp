// SPDX-License-Identifier: MIT
// Repulsion by −(r_c/r − 1)/r up to r_c, as in courses on parallel computing: with y = 1/√max(r2, m²) within two ulp
// and m = r_c/100, c = (1 − r_c·y)·y² and u = r_c·y − 1 − ln(r_c·y). Below m, c is constant and u a parabola. Numbers:
// r_c, m².
#pragma once

#include "sim/elementary.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

class Repulsive {
 public:
  ORRERY_EVERYWHERE explicit Repulsive(const LawParameters& parameters)
      : cutoff_(parameters.at[0]), least_(parameters.at[1]) {}
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r(Real r2) const {
    return from_root(inverse_root(maximum(r2, Real(least_))));
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    const Real clamped = maximum(r2, Real(least_)), y = inverse_root(clamped), ratio = Real(cutoff_) * y;
    return fma(Real(0.5) * from_root(y), r2 - clamped, (ratio - Real(1)) - natural_log(ratio));
  }

  static const ForceLaw law;

 private:
  template <class Real>
  ORRERY_EVERYWHERE Real from_root(Real y) const {
    return nfma(Real(cutoff_), y, Real(1)) * (y * y);
  }

  double cutoff_, least_;
};

}  // namespace orrery::sim
