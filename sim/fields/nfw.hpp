// SPDX-License-Identifier: MIT
// The halo of Navarro, Frenk & White (1997), ρ ∝ 1/(x (1 + x)²) with x = r/r_s: φ = −G M_s ln(1 + x)/r, with M_s the mass whose
// share ln(1 + x) − x/(1 + x) lies within r. Numbers: G M_s/r_s³, r_s², the centre.
#pragma once

#include "sim/elementary.hpp"
#include "sim/external_field.hpp"

namespace orrery::sim {

struct Nfw {
  template <class Real>
  struct Shape {
    Real x2;
    Real pull;  ///< (ln(1 + x) − x/(1 + x))/x³
    Real well;  ///< ln(1 + x)/x
  };
  /// Up to x = ½ from u = x/(2 + x), by ln(1 + x) = 2 artanh u and ln(1 + x) − x/(1 + x) = 2 (u²/(1 + u) + u³/3 + u⁵/5 + …),
  /// of which no term cancels another.
  template <class Real>
  static ORRERY_EVERYWHERE Shape<Real> shape(Real x2) {
    x2 = maximum(x2, Real(0x1p-100));  // in the centre the force, which has no direction there, is 0
    const Real x = x2 * inverse_root(x2), u = x / (Real(2) + x), u2 = u * u;
    Real p = Real(1.0 / 23);
    p = fma(p, u2, Real(1.0 / 21));
    p = fma(p, u2, Real(1.0 / 19));
    p = fma(p, u2, Real(1.0 / 17));
    p = fma(p, u2, Real(1.0 / 15));
    p = fma(p, u2, Real(1.0 / 13));
    p = fma(p, u2, Real(1.0 / 11));
    p = fma(p, u2, Real(1.0 / 9));
    p = fma(p, u2, Real(1.0 / 7));
    p = fma(p, u2, Real(1.0 / 5));
    p = fma(p, u2, Real(1.0 / 3));
    const Real y = Real(2) / (Real(2) + x);  // 2u/x
    const Real near_well = y * fma(p, u2, Real(1)), near_pull = (y * y) * fma(p, u, Real(1) / (Real(1) + u)) / (x + x);
    const Real logarithm = natural_log(Real(1) + x);
    const Real far_well = logarithm / x, far_pull = (logarithm - x / (Real(1) + x)) / (x * x2);
    const auto near = less(x, Real(0.5));
    return {x2, select(near, near_pull, far_pull), select(near, near_well, far_well)};
  }

  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> acceleration(const LawParameters& parameters, Triple<Real> position) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Real k = Real(parameters.at[0]) * shape(square(d, Real(0)) / Real(parameters.at[1])).pull;
    return {k * d.x, k * d.y, k * d.z};
  }
  /// The slope of the pull is 1/(x³ (1 + x)²) − 3 pull/x².
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> jerk(const LawParameters& parameters, Triple<Real> position,
                                             Triple<Real> velocity) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Real a = Real(parameters.at[0]), rs2 = Real(parameters.at[1]);
    const Shape<Real> at = shape(square(d, Real(0)) / rs2);
    const Real x = at.x2 * inverse_root(at.x2), beyond = Real(1) + x;
    const Real slope = (Real(1) / (x * (beyond * beyond)) - Real(3) * at.pull) / (at.x2 * rs2);
    return rate_of_change(d, reversed(velocity), a * at.pull, a * slope);
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real potential(const LawParameters& parameters, Triple<Real> position) {
    const Real a = Real(parameters.at[0]), rs2 = Real(parameters.at[1]);
    return (a * rs2) * (Real(0) - shape(square(towards(parameters, 2, position), Real(0)) / rs2).well);
  }

  static const FieldLaw law;
};

}  // namespace orrery::sim
