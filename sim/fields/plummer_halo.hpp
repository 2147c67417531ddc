// SPDX-License-Identifier: MIT
// Plummer's sphere (Plummer 1911) as a halo: φ = −G M / √(r² + a²). Numbers: G M, a², the centre.
#pragma once

#include "sim/external_field.hpp"

namespace orrery::sim {

struct PlummerHalo {
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> acceleration(const LawParameters& parameters, Triple<Real> position) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Real k = Real(parameters.at[0]) * inverse_cube(square(d, Real(parameters.at[1])));
    return {k * d.x, k * d.y, k * d.z};
  }
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> jerk(const LawParameters& parameters, Triple<Real> position,
                                             Triple<Real> velocity) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Real mu = Real(parameters.at[0]), r2 = square(d, Real(parameters.at[1]));
    return rate_of_change(d, reversed(velocity), mu * inverse_cube(r2), mu * inverse_cube_slope(r2));
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real potential(const LawParameters& parameters, Triple<Real> position) {
    const Real r2 = square(towards(parameters, 2, position), Real(parameters.at[1]));
    return Real(parameters.at[0]) * (Real(0) - inverse_root(r2));
  }

  static const FieldLaw law;
};

}  // namespace orrery::sim
