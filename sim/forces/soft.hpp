// SPDX-License-Identifier: MIT
// Soft spheres, a repulsion of strength·(1 − r/r_c): with y = 1/√r2 to the last place or two, c = 1/r_c − y and
// u = ½·r_c·(1 − r/r_c)², r = r2·y. Two bodies at one place do nothing to each other. Numbers: r_c, 1/r_c rounded once.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/force.hpp"
#include "sim/law_numbers.hpp"

namespace orrery::sim {

class Soft {
 public:
  ORRERY_EVERYWHERE explicit Soft(const LawNumbers& numbers) : cutoff_(numbers.at[0]), inverse_(numbers.at[1]) {}
  template <class Real>
  ORRERY_EVERYWHERE Real c(Real r2) const {
    return Real(inverse_) - inverse_root(maximum(r2, Real(least)));
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    const Real held = maximum(r2, Real(least));
    const Real left = nfma(held * inverse_root(held), Real(inverse_), Real(1));
    return (Real(0.5 * cutoff_) * left) * left;
  }

  static const ForceLaw law;

  /// In place of a smaller r2: a root of 0 is not to be had in floats.
  static constexpr double least = 0x1p-100;

 private:
  double cutoff_, inverse_;
};

}  // namespace orrery::sim
