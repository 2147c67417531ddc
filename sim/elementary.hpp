// SPDX-License-Identifier: MIT
// Elementary functions of IEEE operations alone, so that fields and initial states have the same bits everywhere.
#pragma once

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// ln x for x > 0, not subnormal; error below a unit in the last place. With x = 2^k (1 + f) and s = f / (2 +
/// f), ln(1 + f) = 2 artanh s = f − (h − s (h + r)), where h = f²/2 and r = 2 (s²/3 + s⁴/5 + …): the leading
/// f is exact.
template <class Real>
ORRERY_EVERYWHERE Real natural_log(Real x) {
  const Split<Real> parts = split(x);
  const Real f = parts.significand - Real(1), k = parts.exponent;
  const Real s = f / (Real(2) + f), s2 = s * s;
  Real p = Real(2.0 / 23);
  p = fma(p, s2, Real(2.0 / 21));
  p = fma(p, s2, Real(2.0 / 19));
  p = fma(p, s2, Real(2.0 / 17));
  p = fma(p, s2, Real(2.0 / 15));
  p = fma(p, s2, Real(2.0 / 13));
  p = fma(p, s2, Real(2.0 / 11));
  p = fma(p, s2, Real(2.0 / 9));
  p = fma(p, s2, Real(2.0 / 7));
  p = fma(p, s2, Real(2.0 / 5));
  p = fma(p, s2, Real(2.0 / 3));
  const Real h = Real(0.5) * f * f;
  const Real low = fma(s, fma(p, s2, h), k * Real(0x1.ef35793c76730p-45));  // ln 2 = the one below + this one
  return fma(k, Real(0x1.62e42fefa3800p-1), f - (h - low));                 // 42 bits: k times it is exact
}

/// ln x as above.
double natural_log(double x);
/// eˣ, error below two units in the last place; 0 below −745, infinity above 710.
double exponential(double x);

/// A point on the unit circle.
struct Direction {
  double cosine, sine;
};
/// That at so many turns from the x axis, 0 ≤ turns ≤ 1; errors below two units in the last place.
Direction direction(double turns);

}  // namespace orrery::sim
