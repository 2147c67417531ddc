// SPDX-License-Identifier: MIT
// A spherical logarithmic halo (Binney & Tremaine 2008, §2.3.2): φ = ½ v₀² ln(1 + r²/rc²), whose rotation
// curve is flat outside the core, v² = v₀² r²/(r² + rc²). Numbers: v₀², rc², the centre.
#pragma once

#include "sim/elementary.hpp"
#include "sim/external_field.hpp"

namespace orrery::sim {

struct LogarithmicHalo {
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> acceleration(const LawParameters& parameters, Triple<Real> position) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Real k = Real(parameters.at[0]) / square(d, Real(parameters.at[1]));
    return {k * d.x, k * d.y, k * d.z};
  }
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> jerk(const LawParameters& parameters, Triple<Real> position,
                                             Triple<Real> velocity) {
    const Triple<Real> d = towards(parameters, 2, position);
    const Real r2 = square(d, Real(parameters.at[1])), k = Real(parameters.at[0]) / r2;
    return rate_of_change(d, reversed(velocity), k, Real(-2) * k / r2);
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real potential(const LawParameters& parameters, Triple<Real> position) {
    const Real rc2 = Real(parameters.at[1]);
    return Real(0.5) * Real(parameters.at[0]) * natural_log(square(towards(parameters, 2, position), rc2) / rc2);
  }

  static const FieldLaw law;
};

}  // namespace orrery::sim
