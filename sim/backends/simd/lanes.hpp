// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp for a vector of doubles, through Highway; for inclusion by kernels.cpp alone.
#pragma once

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#include "sim/arithmetic.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vec = hn::Vec<Tag>;

inline constexpr std::size_t width = HWY_LANES(double);

struct Lanes {
  Vec v;

  HWY_INLINE Lanes() : v(hn::Zero(Tag())) {}
  HWY_INLINE explicit Lanes(double x) : v(hn::Set(Tag(), x)) {}
  HWY_INLINE explicit Lanes(Vec x) : v(x) {}
  static HWY_INLINE Lanes load(const double* p) { return Lanes(hn::LoadU(Tag(), p)); }
  HWY_INLINE void store(double* p) const { hn::StoreU(v, Tag(), p); }

  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return Lanes(hn::Add(a.v, b.v)); }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return Lanes(hn::Sub(a.v, b.v)); }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return Lanes(hn::Mul(a.v, b.v)); }

  friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(hn::Div(a.v, b.v)); }

  // Highway's MulAdd rounds twice where the target has no such instruction; there each lane goes through std::fma.
  friend HWY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) {
#if HWY_NATIVE_FMA
    return Lanes(hn::MulAdd(a.v, b.v, c.v));
#else
    return lane_by_lane(a, b, c, 1.0);
#endif
  }
  friend HWY_INLINE Lanes nfma(Lanes a, Lanes b, Lanes c) {
#if HWY_NATIVE_FMA
    return Lanes(hn::NegMulAdd(a.v, b.v, c.v));
#else
    return lane_by_lane(a, b, c, -1.0);
#endif
  }

  friend HWY_INLINE Lanes inverse_root_seed(Lanes r2) {
    const hn::RebindToUnsigned<Tag> bits;
    const auto half_of_high = hn::ShiftLeft<32>(hn::ShiftRight<33>(hn::BitCast(bits, r2.v)));
    const auto constant = hn::Set(bits, static_cast<std::uint64_t>(seed_constant) << 32);
    return Lanes(hn::BitCast(Tag(), hn::Sub(constant, half_of_high)));
  }

  friend HWY_INLINE Split<Lanes> split(Lanes x) {
    const hn::RebindToUnsigned<Tag> bits;
    const auto shifted = hn::Add(hn::BitCast(bits, x.v), hn::Set(bits, split_offset));
    const auto significand = hn::Add(hn::And(shifted, hn::Set(bits, split_mantissa)), hn::Set(bits, split_least));
    // A whole number below 2⁵² in the low bits of 2⁵² makes their sum, which is exact.
    const auto whole = hn::Or(hn::ShiftRight<52>(shifted), hn::BitCast(bits, hn::Set(Tag(), 0x1p52)));
    return {Lanes(hn::BitCast(Tag(), significand)), Lanes(hn::BitCast(Tag(), whole)) - Lanes(0x1p52 + 1023)};
  }

  /// The lanes where `index` differs from j; zero elsewhere.
  friend HWY_INLINE Lanes unless_equal(Lanes index, double j, Lanes value) {
    return Lanes(hn::IfThenElseZero(hn::Ne(index.v, hn::Set(Tag(), j)), value.v));
  }

#if !HWY_NATIVE_FMA
  static HWY_INLINE Lanes lane_by_lane(Lanes a, Lanes b, Lanes c, double sign) {
    HWY_ALIGN double x[width], y[width], z[width];
    a.store(x), b.store(y), c.store(z);
    for (std::size_t k = 0; k < width; ++k) z[k] = std::fma(sign * x[k], y[k], z[k]);
    return load(z);
  }
#endif
};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
