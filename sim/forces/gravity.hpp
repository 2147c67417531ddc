// SPDX-License-Identifier: MIT
// Newtonian gravity with Plummer softening: c = r⁻³, u = −r⁻¹; sources are masses, all bodies respond with G.
//
// c is finite for 2⁻⁶⁸⁰ ≤ r2, its slope for 2⁻⁴⁰⁸ ≤ r2.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

struct Gravity {
  using Interaction = Gravity;                     ///< the class whose pair loops it uses
  static constexpr bool is_inverse_square = true;  ///< c is inverse_cube(r²)

  ORRERY_EVERYWHERE explicit Gravity(const LawParameters&) {}
  template <class Real>
  static ORRERY_EVERYWHERE Real force_over_r(Real r2) {
    return inverse_cube(r2);
  }
  /// −3 r⁻⁵
  template <class Real>
  static ORRERY_EVERYWHERE Real force_over_r_slope(Real r2) {
    return inverse_cube_slope(r2);
  }
  template <class Real>
  static ORRERY_EVERYWHERE Real u(Real r2) {
    return Real(0) - inverse_root(r2);
  }

  static const ForceLaw law;
};

}  // namespace orrery::sim
