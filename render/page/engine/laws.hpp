// SPDX-License-Identifier: MIT
// Formulas of pair laws and fields: "A pair" and "External fields" of docs/canonical-order.md.
#pragma once

#include "bodies.hpp"

namespace orrery::page::ORRERY_ENGINE {

/// What is asked for besides accelerations.
enum class Asked { nothing, potential, jerk };

/// Of a pair or field: force over distance, potential, and the slope of the first.
struct Strengths {
  Lanes c, u, slope;
};

template <class Arithmetic>
ORRERY_INLINE Lanes square(Arithmetic& exactly, const Triple& d, Lanes eps2) {
  return exactly.fma(d.x, d.x, exactly.fma(d.y, d.y, exactly.fma(d.z, d.z, eps2)));
}

/// y improved towards 1/√r2, where e = 1 − r2·y²
template <class Arithmetic>
ORRERY_INLINE Lanes refined(Arithmetic& exactly, Lanes y, Lanes e) {
  return exactly.add_less(y * e, exactly.add_less(exactly.add_digits(0.3125, e, 0.375), e, 0.5), y);
}

/// 1/√r2 to about 1e-5, which the laws below take as y.
template <class Arithmetic>
ORRERY_INLINE Lanes estimate(Arithmetic& exactly, Lanes r2) {
  using Unsigned [[gnu::vector_size(8 * lanes)]] = u64;
  const Lanes y((0x5fe6eb50 - (Bits)((Unsigned)r2.v >> 33)) << 32);
  return refined(exactly, y, exactly.residual(r2 * y, y));
}

/// r⁻³
template <class Arithmetic>
ORRERY_INLINE Lanes inverse_cube(Arithmetic& exactly, Lanes r2, Lanes y) {
  const Lanes y2 = y * y, y3 = y * y2, e = exactly.residual(r2, y2);
  return exactly.add_little(y3 * e, exactly.add_little(exactly.add_little(2.1875, e, 1.875), e, 1.5), y3);
}

/// r⁻¹, the estimate carried to its end.
template <class Arithmetic>
ORRERY_INLINE Lanes inverse_root(Arithmetic& exactly, Lanes r2, Lanes y) {
  return refined(exactly, y, exactly.residual(r2, y * y));
}

/// yᵏ: those of y, y², y⁴, … whose bits k has, one after the other.
inline Lanes power(Lanes y, int k) {
  Lanes product = 1.0;
  for (; k > 0; k /= 2, y = y * y) {
    if (k % 2 == 1) product = product * y;
  }
  return product;
}

inline Lanes natural_log(Lanes x) {
  const Bits b = x.bits() + 0x00095f6200000000LL;
  const Lanes k = Lanes(((b >> 52) & 2047) | 0x4330000000000000LL) - (0x1p52 + 1023);
  const Lanes f = Lanes((b & 0x000fffffffffffffLL) + 0x3fe6a09e00000000LL) - 1.0;
  const Lanes s = f / (2.0 + f), s2 = s * s, h = (0.5 * f) * f;
  Lanes p = 2.0 / 23;
  for (int n = 21; n >= 3; n -= 2) p = fma(p, s2, 2.0 / n);
  return fma(k, 0x1.62e42fefa3800p-1, f - (h - fma(s, fma(p, s2, h), k * 0x1.ef35793c76730p-45)));
}

/// The inverse square.
template <class Arithmetic>
ORRERY_INLINE Strengths of_gravity(Arithmetic& exactly, Lanes r2) {
  const Lanes estimated = estimate(exactly, r2), c = inverse_cube(exactly, r2, estimated),
              y = inverse_root(exactly, r2, estimated);
  return {c, 0.0 - y, -3.0 * (c * (y * y))};
}

/// ∝ r⁻ⁿ
template <class Arithmetic>
ORRERY_INLINE Strengths of_inverse_power(Arithmetic& exactly, int n, Lanes r2) {
  const Lanes y = inverse_root(exactly, r2, estimate(exactly, r2));
  return {power(y, n + 1), n == 1 ? 0.5 * natural_log(r2) : Lanes(-1.0 / (n - 1)) * power(y, n - 1),
          Lanes(-(n + 1.0)) * power(y, n + 3)};
}

/// Of (c·d)′ for a difference d that changes at the rate v.
inline Triple rate_of_change(const Triple& d, const Triple& v, const Strengths& of) {
  const Lanes along = of.slope * fma(d.x, v.x, fma(d.y, v.y, d.z * v.z));
  return {fma(along, d.x, of.c * v.x), fma(along, d.y, of.c * v.y), fma(along, d.z, of.c * v.z)};
}

}  // namespace orrery::page::ORRERY_ENGINE
