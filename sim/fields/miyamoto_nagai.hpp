// SPDX-License-Identifier: MIT
// A disk (Miyamoto & Nagai 1975): φ = −G M / √(R² + (a + s)²) with s = √(z² + b²), about the axis z. It is Plummer's sphere for
// a = 0 and a razor-thin disk for b → 0. Numbers: G M, a, the centre, b².
#pragma once

#include "sim/external_field.hpp"

namespace orrery::sim {

struct MiyamotoNagai {
  /// With d = centre − x, g = k·(d.x, d.y, flattening·d.z) for k = G M / q^(3/2).
  template <class Real>
  struct Shape {
    Real q;           ///< R² + (a + s)²
    Real inverse_s;   ///< 1/s
    Real flattening;  ///< (a + s)/s
  };
  template <class Real>
  static ORRERY_EVERYWHERE Shape<Real> shape(const LawParameters& parameters, Triple<Real> d) {
    const Real a = Real(parameters.at[1]), s2 = fma(d.z, d.z, Real(parameters.at[5]));
    const Real inverse_s = inverse_root(s2), height = fma(s2, inverse_s, a);
    return {fma(d.x, d.x, fma(d.y, d.y, height * height)), inverse_s, fma(a, inverse_s, Real(1))};
  }

  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> acceleration(const LawParameters& parameters, Triple<Real> position) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Shape<Real> at = shape(parameters, d);
    const Real k = Real(parameters.at[0]) * inverse_cube(at.q);
    return {k * d.x, k * d.y, k * (at.flattening * d.z)};
  }
  /// ½ dq/dt = d·v with the flattened d.z, and d(flattening·d.z)/dt = (1 + a b²/s³) v.z, where 1 − d.z²/s² = b²/s².
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> jerk(const LawParameters& parameters, Triple<Real> position,
                                             Triple<Real> velocity) {
    const Triple<Real> d = towards(parameters, 2, position), v = reversed(velocity);
    const Shape<Real> at = shape(parameters, d);
    const Real mu = Real(parameters.at[0]), k = mu * inverse_cube(at.q);
    const Real bend = Real(parameters.at[5]) * (at.inverse_s * at.inverse_s);
    const Real rise = fma(Real(parameters.at[1]) * at.inverse_s, bend, Real(1));
    const Real flat = at.flattening * d.z;
    const Real along = mu * inverse_cube_slope(at.q) * fma(d.x, v.x, fma(d.y, v.y, flat * v.z));
    return {fma(along, d.x, k * v.x), fma(along, d.y, k * v.y), fma(along, flat, k * (rise * v.z))};
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real potential(const LawParameters& parameters, Triple<Real> position) {
    const Shape<Real> at = shape(parameters, towards(parameters, 2, position));
    return Real(parameters.at[0]) * (Real(0) - inverse_root(at.q));
  }

  static const FieldLaw law;
};

}  // namespace orrery::sim
