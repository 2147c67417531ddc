// SPDX-License-Identifier: MIT
// The repulsion of Weeks, Chandler and Andersen, Lennard-Jones up to its minimum at 2^(1/6) σ and shifted to 0 there:
// with q = σ²/r2 and s = q³, c = (24 − 48·s)·s·(1/r2) and u = 4·s·(s − 1) + 1; 1/r2 within one ulp. Numbers: σ², the
// cutoff 2^(1/6) σ.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

class Wca {
 public:
  ORRERY_EVERYWHERE explicit Wca(const LawParameters& parameters) : sigma2_(parameters.at[0]) {}
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r(Real r2) const {
    const Real inverse = inverse_square(r2), s = sixth(inverse);
    return fma(Real(-48), s, Real(24)) * (s * inverse);
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    const Real s = sixth(inverse_square(r2));
    return fma(Real(4) * s, s - Real(1), Real(1));
  }

  static const ForceLaw law;

 private:
  /// (σ/r)⁶
  template <class Real>
  ORRERY_EVERYWHERE Real sixth(Real inverse) const {
    const Real q = Real(sigma2_) * inverse;
    return q * q * q;
  }

  double sigma2_;
};

}  // namespace orrery::sim
