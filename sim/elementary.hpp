// SPDX-License-Identifier: MIT
// Elementary functions made of IEEE 754 basic operations, which give the same bits everywhere.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

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

/// x truncated to an integer, for |x| < 2⁵¹: adding 2⁵² rounds the fraction off.
template <class Real>
ORRERY_EVERYWHERE Real whole_part(Real x) {
  const auto negative = less(x, Real(0));
  const Real size = select(negative, Real(0) - x, x);
  const Real nearest = (size + Real(0x1p52)) - Real(0x1p52);
  const Real whole = nearest - select(less(size, nearest), Real(1), Real(0));
  return select(negative, Real(0) - whole, whole);
}

/// eˣ, error below two units in the last place; 0 below −745.2, infinity above 709.8. With x = k ln 2 + r and |r| <
/// 0.35, eˣ = 2^k (1 + r + r²/2! + r³/3! + …).
template <class Real>
ORRERY_EVERYWHERE Real exponential(Real x) requires(!std::is_arithmetic_v<Real>) {
  x = maximum(minimum(x, Real(1000)), Real(-1000));  // beyond, the result is infinity or 0
  const Real k = whole_part(x * Real(1.4426950408889634) + select(less(x, Real(0)), Real(-0.5), Real(0.5)));
  const Real r = nfma(k, Real(0x1.ef35793c76730p-45), nfma(k, Real(0x1.62e42fefa3800p-1), x));  // ln 2 as above
  Real p = Real(1.0 / 6227020800);
  p = fma(p, r, Real(1.0 / 479001600));
  p = fma(p, r, Real(1.0 / 39916800));
  p = fma(p, r, Real(1.0 / 3628800));
  p = fma(p, r, Real(1.0 / 362880));
  p = fma(p, r, Real(1.0 / 40320));
  p = fma(p, r, Real(1.0 / 5040));
  p = fma(p, r, Real(1.0 / 720));
  p = fma(p, r, Real(1.0 / 120));
  p = fma(p, r, Real(1.0 / 24));
  p = fma(p, r, Real(1.0 / 6));
  p = fma(p, r, Real(1.0 / 2));
  const Real y = Real(1) + fma(r * r, p, r);
  const Real part = whole_part(Real(0.5) * k);  // in two factors, because 2^k may not be a normal number
  return y * power_of_two(part) * power_of_two(k - part);
}

double natural_log(double x);
double exponential(double x);

/// x^(1/n) for a normal x > 0 by Newton's iteration, starting from 1/n of the exponent; error within two ulp for n ≤ 8.
inline double root(double x, int n) {
  constexpr std::uint64_t one = 0x3ff0'0000'0000'0000;
  const auto whole = static_cast<std::uint64_t>(n);
  auto y = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) / whole + (one - one / whole));  // within 6 %
  for (int k = 0; k < 5; ++k) {
    double power = y;  // y^(n − 1)
    for (int p = 2; p < n; ++p) power *= y;
    y = std::fma(-std::fma(power, y, -x), 1 / (n * power), y);
  }
  return y;
}

/// A point on the unit circle.
struct Direction {
  double cosine, sine;
};
/// The direction at an angle of 2π·turns from the x axis, 0 ≤ turns ≤ 1; errors below two units in the last place.
Direction direction(double turns);
/// Two independent normal deviates of variance 1 from two uniform numbers, 0 < u ≤ 1 and 0 ≤ v < 1 (Box & Muller 1958).
Direction normal_pair(double u, double v);

}  // namespace orrery::sim
