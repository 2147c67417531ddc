// SPDX-License-Identifier: MIT
// fma in lanes. Where it is no instruction, it is made of products and sums whose rounding errors are known exactly (Dekker 1971,
// Numer. Math. 18, 224; Knuth, TAOCP 2, 4.2.2; Boldo & Melquiond 2008, IEEE Trans. Comput. 57, 462, for where that goes wrong).
#pragma once

#include "exact_fma.hpp"
#include "lanes.hpp"
#if defined(__wasm__)
#include <wasm_simd128.h>
#endif

namespace orrery::page::ORRERY_ENGINE {

#ifdef ORRERY_ENGINE_FUSED

ORRERY_INLINE Lanes fma_inline(Lanes a, Lanes b, Lanes c) {
#ifdef __wasm__
  const auto half = [](auto a, auto b, auto c) { return __builtin_wasm_fma_f64x2(a, b, c); };  // relaxed_madd
  const auto low = [](Lanes x) { return __builtin_shufflevector(x.v, x.v, 0, 1); };
  const auto high = [](Lanes x) { return __builtin_shufflevector(x.v, x.v, 2, 3); };
  return Vector(__builtin_shufflevector(half(low(a), low(b), low(c)), half(high(a), high(b), high(c)), 0, 1, 2, 3));
#else
  const auto one = [&](int k) { return __builtin_fma(a.v[k], b.v[k], c.v[k]); };
  return Vector{one(0), one(1), one(2), one(3)};
#endif
}
ORRERY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) {
  return fma_inline(a, b, c);
}

#else

ORRERY_INLINE bool any(Bits mask) {
#ifdef __wasm__
  return wasm_v128_any_true((v128_t)mask);
#else
  return (mask[0] | mask[1]) != 0;
#endif
}

/// The upper half of a's digits, rounded; what is left has 26 bits too. One operation fewer than Veltkamp's.
ORRERY_INLINE Lanes upper_half(Lanes a) {
  return Lanes((a.bits() + 0x4000000LL) & ~0x7ffffffLL);
}
/// a·b − p exactly, for p = a·b rounded; if nothing underflows.
ORRERY_INLINE Lanes product_error(Lanes p, Lanes a, Lanes b) {
  const Lanes ah = upper_half(a), bh = upper_half(b), al = a - ah, bl = b - bh;
  return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}
/// For v = t + e rounded, and |t| at most half of the last place of s: whether s + v could differ from s + (t + e) rounded once. If it
/// does, v has been rounded to the middle between two doubles, so that it has a few digits only.
ORRERY_INLINE Bits is_doubtful(Lanes v) {
  return ((v.bits() << 32) == Bits{}) & (v != 0.0);
}

/// Any three numbers, one after the other.
[[gnu::noinline]] inline Lanes fma_by_integers(Lanes a, Lanes b, Lanes c) {
  return Vector{exact_fma(a.v[0], b.v[0], c.v[0]), exact_fma(a.v[1], b.v[1], c.v[1])};
}

/// Any three numbers.
ORRERY_INLINE Lanes fma_inline(Lanes a, Lanes b, Lanes c) {
  const Lanes p = a * b, s = p + c, q = s - p, v = ((p - (s - q)) + (c - q)) + product_error(p, a, b);
  const Bits in_range = (magnitude(p) < 0x1p900) & ((0x1p-900 < magnitude(p)) | (a == 0.0) | (b == 0.0));
  if (__builtin_expect(any(is_doubtful(v) | ~in_range), 0)) return fma_by_integers(a, b, c);
  return select(v == 0.0, s, s + v);  // −0 + −0 is −0
}
[[gnu::noinline]] inline Lanes fma(Lanes a, Lanes b, Lanes c) {
  return fma_inline(a, b, c);
}

#endif

/// What the formulas of pairs are written for: fma, and fma of numbers of which something is known, which may be cheaper.
struct Plainly {
  Plainly() = default;
  ORRERY_INLINE explicit Plainly(Bits /*doubt*/) {}
  [[nodiscard]] ORRERY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) const { return ORRERY_ENGINE::fma(a, b, c); }
  /// |a·b| ≤ |c|
  [[nodiscard]] ORRERY_INLINE Lanes add_less(Lanes a, Lanes b, Lanes c) const { return fma(a, b, c); }
  /// The same for c = 3/8 and a = 5/16, whose three digits leave little to be rounded.
  [[nodiscard]] ORRERY_INLINE Lanes add_digits(double a, Lanes b, double c) const { return fma(a, b, c); }
  /// |a·b| < 2⁻¹⁵·|c|
  [[nodiscard]] ORRERY_INLINE Lanes add_little(Lanes a, Lanes b, Lanes c) const { return fma(a, b, c); }
  /// 1 − a·b for a·b near 1
  [[nodiscard]] ORRERY_INLINE Lanes residual(Lanes a, Lanes b) const { return fma(-a, b, 1.0); }
  [[nodiscard]] bool in_doubt() const { return false; }
};

#ifdef ORRERY_ENGINE_FUSED

using Quickly = Plainly;

#else

/// The same while nothing overflows or underflows and c is not −0, without looking at each result: it remembers whether one of them is
/// in doubt, for some of 10⁴ pairs, and then all have to be computed `Plainly`.
class Quickly {
 public:
  ORRERY_INLINE explicit Quickly(Bits doubt) : doubt_(doubt) {}
  ORRERY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) {
    const Lanes p = a * b, s = p + c, q = s - p;
    return rounded(s, (p - (s - q)) + (c - q), product_error(p, a, b));
  }
  ORRERY_INLINE Lanes add_less(Lanes a, Lanes b, Lanes c) {
    const Lanes p = a * b, s = c + p;
    return rounded(s, p - (s - c), product_error(p, a, b));
  }
  /// t + e is exact, unless b is so small that its last digits are far below those of the sum.
  ORRERY_INLINE Lanes add_digits(double a, Lanes b, double c) {
    const Lanes p = a * b, s = c + p, bh = upper_half(b), e = (a * bh - p) + a * (b - bh);
    doubt_ |= magnitude(b) < 0x1p-40;
    return s + ((p - (s - c)) + e);
  }
  /// The error of the product, below 2⁻¹³ of half of the last place of s, matters only if p − (s − c) is nearly that half.
  ORRERY_INLINE Lanes add_little(Lanes a, Lanes b, Lanes c) {
    const Lanes p = a * b, s = c + p, t = p - (s - c);
    doubt_ |= s + t * (1 + 0x1p-13) != s;
    return s;
  }
  /// 1 − p is exact.
  ORRERY_INLINE Lanes residual(Lanes a, Lanes b) {
    const Lanes p = a * b;
    return (1.0 - p) - product_error(p, a, b);
  }
  [[nodiscard]] ORRERY_INLINE bool in_doubt() const { return any(doubt_); }

 private:
  ORRERY_INLINE Lanes rounded(Lanes s, Lanes t, Lanes e) {
    const Lanes v = t + e;
    doubt_ |= is_doubtful(v);
    return s + v;
  }

  Bits doubt_;
};

#endif

}  // namespace orrery::page::ORRERY_ENGINE
