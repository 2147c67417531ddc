// SPDX-License-Identifier: MIT
// Coulomb's law: gravity's c and u with charges for sources, to which a body responds with −k q/m, so that like charges
// repel. The operations and their range are those of gravity.
#pragma once

#include "sim/forces/gravity.hpp"

namespace orrery::sim {

struct Coulomb {
  ORRERY_EVERYWHERE explicit Coulomb(double) {}
  template <class Real>
  static ORRERY_EVERYWHERE Real c(Real r2) {
    return Gravity::c(r2);
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real slope(Real r2) {
    return Gravity::slope(r2);
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real u(Real r2) {
    return Gravity::u(r2);
  }

  static const ForceLaw law;
};

}  // namespace orrery::sim
