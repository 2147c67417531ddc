// SPDX-License-Identifier: MIT
// The same acceleration g everywhere: φ = −g·x, zero at the origin. Numbers: g.
#pragma once

#include "sim/external_field.hpp"

namespace orrery::sim {

struct Uniform {
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> acceleration(const LawParameters& parameters, Triple<Real> /*position*/) {
    return {Real(parameters.at[0]), Real(parameters.at[1]), Real(parameters.at[2])};
  }
  template <class Real>
  static ORRERY_EVERYWHERE Triple<Real> jerk(const LawParameters& /*parameters*/, Triple<Real> /*position*/,
                                             Triple<Real> /*velocity*/) {
    return {Real(0), Real(0), Real(0)};
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real potential(const LawParameters& parameters, Triple<Real> position) {
    const Triple<Real> g = acceleration(parameters, position);
    return Real(0) - fma(g.x, position.x, fma(g.y, position.y, g.z * position.z));
  }

  static const FieldLaw law;
};

}  // namespace orrery::sim
