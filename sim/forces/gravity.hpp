// SPDX-License-Identifier: MIT
// Newtonian gravity, softened after Plummer: c = r⁻³, u = −r⁻¹, sources are masses, everything responds with G.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

struct Gravity {
  static constexpr bool is_inverse_square = true;  ///< c is inverse_cube(r²)

  ORRERY_EVERYWHERE explicit Gravity(double) {}
  template <class Real>
  static ORRERY_EVERYWHERE Real c(Real r2) {
    return inverse_cube(r2);
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real u(Real r2) {
    return Real(0) - inverse_root(r2);
  }

  static const ForceLaw law;
};

}  // namespace orrery::sim
