// SPDX-License-Identifier: MIT
// The Lennard-Jones force up to a cutoff: with y = 1/√r2 within two ulp, p = y·y, q = σ²·p and s = q³,
// c = (24 − 48·s)·s·p − f·y and u = 4·s·(s − 1) − u_0 − f·r, r = r2·y.
//
// cut: f = u_0 = 0, the potential jumps at the cutoff. shifted: u_0 is the potential there, only the force jumps.
// force-shifted: f is its slope there and u_0 the potential minus f·r_c, so that neither jumps. Numbers: σ², r_c, f,
// u_0.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

class LennardJones {
 public:
  ORRERY_EVERYWHERE explicit LennardJones(const LawParameters& parameters)
      : sigma2_(parameters.at[0]), slope_(parameters.at[2]), shift_(parameters.at[3]) {}
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r(Real r2) const {
    const Real y = inverse_root(r2), p = y * y, s = sixth(p);
    return nfma(Real(slope_), y, fma(Real(-48), s, Real(24)) * (s * p));
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    const Real y = inverse_root(r2), s = sixth(y * y);
    return nfma(Real(slope_), r2 * y, (Real(4) * s) * (s - Real(1)) - Real(shift_));
  }

  static const ForceLaw law;

 private:
  /// (σ/r)⁶
  template <class Real>
  ORRERY_EVERYWHERE Real sixth(Real p) const {
    const Real q = Real(sigma2_) * p;
    return q * q * q;
  }

  double sigma2_, slope_, shift_;
};

}  // namespace orrery::sim
