// SPDX-License-Identifier: MIT
// Soft spheres, a repulsion of strength·(1 − r/r_c): with y = 1/√r2 within two ulp, c = 1/r_c − y and u = ½·r_c·(1 −
// r/r_c)², r = r2·y. No force between bodies in the same place. Numbers: r_c, 1/r_c rounded once.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

class Soft {
 public:
  ORRERY_EVERYWHERE explicit Soft(const LawParameters& parameters)
      : cutoff_(parameters.at[0]), inverse_(parameters.at[1]) {}
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r(Real r2) const {
    return Real(inverse_) - inverse_root(maximum(r2, Real(least)));
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    const Real clamped = maximum(r2, Real(least));
    const Real left = nfma(clamped * inverse_root(clamped), Real(inverse_), Real(1));
    return (Real(0.5 * cutoff_) * left) * left;
  }

  static const ForceLaw law;

  /// Replaces smaller r2, since inverse_root(0) is not available in float.
  static constexpr double least = 0x1p-100;

 private:
  double cutoff_, inverse_;
};

}  // namespace orrery::sim
