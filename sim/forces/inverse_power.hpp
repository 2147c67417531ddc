// SPDX-License-Identifier: MIT
// Attraction of masses ∝ r⁻ⁿ, n = 1 … 8: c = r^−(n+1), u = −r^−(n−1)/(n − 1), and u = ½ ln r² for n = 1.
//
// With y = 1/√r2 within two ulp (inverse_root) and y2 = y·y, y4 = y2·y2, y8 = y4·y4, a power y^k is the product of
// those of y, y2, y4, y8 whose bits are set in k, from the lowest; the others are left out, since they may overflow.
// Then c = y^(n+1), u = (−1/(n − 1))·y^(n−1), or 0.5·ln(r2) for n = 1, with −1/(n − 1) rounded once; the slope is −(n +
// 1)·y^(n+3). Numbers: n.
//
// c and u are finite for 2^(−2040/(n+1)) ≤ r2, the slope for 2^(−2040/(n+3)); above the inverse of that they underflow
// gradually. Errors, measured: at most 2.2e-15 for c (n = 8), 1.7e-15 for u.
//
//   n               1      2      3      4      5      6      7      8
//   least r2    2⁻¹⁰²⁰  2⁻⁶⁸⁰  2⁻⁵¹⁰  2⁻⁴⁰⁸  2⁻³⁴⁰  2⁻²⁹¹  2⁻²⁵⁵  2⁻²²⁶
#pragma once

#include "sim/elementary.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

class InversePower {
 public:
  using Interaction = InversePower;
  static constexpr bool is_inverse_square = false;

  ORRERY_EVERYWHERE explicit InversePower(const LawParameters& parameters)
      : n_(static_cast<int>(parameters.at[0])), potential_(n_ == 1 ? 0.5 : -1.0 / (parameters.at[0] - 1)) {}
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r(Real r2) const {
    return power(inverse_root(r2), n_ + 1);
  }
  /// −(n + 1) r^−(n+3)
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r_slope(Real r2) const {
    return Real(-1.0 * (n_ + 1)) * power(inverse_root(r2), n_ + 3);
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    return Real(potential_) * (n_ == 1 ? natural_log(r2) : power(inverse_root(r2), n_ - 1));
  }

  static const ForceLaw law;

 private:
  template <class Real>
  static ORRERY_EVERYWHERE Real power(Real y, int k) {
    const Real y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
    Real product = (k & 1) != 0 ? y : Real(1);
    if ((k & 2) != 0) product = product * y2;
    if ((k & 4) != 0) product = product * y4;
    if ((k & 8) != 0) product = product * y8;
    return product;
  }

  int n_;
  double potential_;  ///< the factor of u
};

}  // namespace orrery::sim
