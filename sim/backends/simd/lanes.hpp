// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp for vectors of doubles or floats, by Highway.
#pragma once

#include <hwy/highway.h>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "sim/elementary.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

template <class T>
inline constexpr std::size_t width = HWY_LANES(T);

/// Converts a vector of doubles to half a vector of floats, and back.
using HalfTag = hn::Rebind<float, Tag<double>>;
HWY_INLINE hn::Vec<HalfTag> narrow(hn::Vec<Tag<double>> x) {
  return hn::DemoteTo(HalfTag(), x);
}
HWY_INLINE hn::Vec<Tag<double>> widen(hn::Vec<HalfTag> x) {
  return hn::PromoteTo(Tag<double>(), x);
}

/// The sum of a vector's lanes as a binary tree: both halves are added lane by lane, recursively.
template <class D>
HWY_INLINE double tree([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(d) > 1) {
    const hn::Half<D> half;
    return tree(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
  return hn::GetLane(v);
}

/// K vectors as independent chains of operations, for instruction-level parallelism. `exact_root`, for floats: 1/√ by a
/// square root and a division.
template <class T, std::size_t K = 1, bool exact_root = false>
struct Lanes {
  hn::Vec<Tag<T>> v[K];

  HWY_INLINE Lanes() : Lanes(0.0) {}
  HWY_INLINE explicit Lanes(double x) : Lanes(hn::Set(Tag<T>(), static_cast<T>(x))) {}
  HWY_INLINE explicit Lanes(hn::Vec<Tag<T>> same) {
    for (auto& one : v) one = same;
  }
  static HWY_INLINE Lanes load(const T* p) {
    Lanes a;
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::LoadU(Tag<T>(), p + k * width<T>);
    return a;
  }
  HWY_INLINE void store(T* p) const {
    for (std::size_t k = 0; k < K; ++k) hn::StoreU(v[k], Tag<T>(), p + k * width<T>);
  }

  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) {
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::Add(a.v[k], b.v[k]);
    return a;
  }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) {
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::Sub(a.v[k], b.v[k]);
    return a;
  }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) {
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::Mul(a.v[k], b.v[k]);
    return a;
  }
  friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) {
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::Div(a.v[k], b.v[k]);
    return a;
  }

  // Highway's MulAdd rounds twice on targets without that instruction; there each lane uses std::fma.
  friend HWY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) {
#if HWY_NATIVE_FMA
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::MulAdd(a.v[k], b.v[k], c.v[k]);
    return a;
#else
    return library_fma(a, b, c, 1);
#endif
  }
  friend HWY_INLINE Lanes nfma(Lanes a, Lanes b, Lanes c) {
#if HWY_NATIVE_FMA
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::NegMulAdd(a.v[k], b.v[k], c.v[k]);
    return a;
#else
    return library_fma(a, b, c, -1);
#endif
  }

  struct Mask {
    hn::Mask<Tag<T>> m[K];
  };
  friend HWY_INLINE Mask less(Lanes a, Lanes b) {
    Mask mask;
    for (std::size_t k = 0; k < K; ++k) mask.m[k] = hn::Lt(a.v[k], b.v[k]);
    return mask;
  }
  friend HWY_INLINE Lanes select(Mask mask, Lanes a, Lanes b) {
    for (std::size_t k = 0; k < K; ++k) a.v[k] = hn::IfThenElse(mask.m[k], a.v[k], b.v[k]);
    return a;
  }

  friend HWY_INLINE Lanes inverse_root_seed(Lanes r2) requires std::same_as<T, double> {
    const hn::RebindToUnsigned<Tag<T>> bits;
    const auto constant = hn::Set(bits, static_cast<std::uint64_t>(seed_constant) << 32);
    for (std::size_t k = 0; k < K; ++k) {
      const auto half_of_high = hn::ShiftLeft<32>(hn::ShiftRight<33>(hn::BitCast(bits, r2.v[k])));
      r2.v[k] = hn::BitCast(Tag<T>(), hn::Sub(constant, half_of_high));
    }
    return r2;
  }

  friend HWY_INLINE Lanes power_of_two(Lanes k) requires std::same_as<T, double> {
    const hn::RebindToUnsigned<Tag<T>> bits;
    k = k + Lanes(power_of_two_offset);
    for (auto& one : k.v) one = hn::BitCast(Tag<T>(), hn::ShiftLeft<52>(hn::BitCast(bits, one)));
    return k;
  }

  friend HWY_INLINE Split<Lanes> split(Lanes x) requires std::same_as<T, double> {
    const hn::RebindToUnsigned<Tag<T>> bits;
    Lanes whole;
    for (std::size_t k = 0; k < K; ++k) {
      const auto shifted = hn::Add(hn::BitCast(bits, x.v[k]), hn::Set(bits, split_offset));
      const auto significand = hn::Add(hn::And(shifted, hn::Set(bits, split_mantissa)), hn::Set(bits, split_least));
      x.v[k] = hn::BitCast(Tag<T>(), significand);
      // An integer below 2⁵² in the low bits of 2⁵² gives their exact sum.
      const auto sum = hn::Or(hn::ShiftRight<52>(shifted), hn::BitCast(bits, hn::Set(Tag<T>(), 0x1p52)));
      whole.v[k] = hn::BitCast(Tag<T>(), sum);
    }
    return {x, whole - Lanes(0x1p52 + 1023)};
  }

  /// r2^(−1/2) by one iteration from the processor's estimate: error up to two units in the last place.
  friend HWY_INLINE Lanes inverse_root(Lanes r2) requires std::same_as<T, float> {
    if constexpr (exact_root) {
      for (auto& one : r2.v) one = hn::Div(hn::Set(Tag<T>(), 1), hn::Sqrt(one));
      return r2;
    } else {
      const Lanes y = estimate(r2), e = nfma(r2 * y, y, Lanes(1));
      return fma(y * e, fma(Lanes(0.375), e, Lanes(0.5)), y);
    }
  }
  /// r2^(−1)
  friend HWY_INLINE Lanes inverse_square(Lanes r2) requires std::same_as<T, float> {
    const Lanes y = inverse_root(r2);
    return y * y;
  }
  /// r2^(−3/2)
  friend HWY_INLINE Lanes inverse_cube(Lanes r2) requires std::same_as<T, float> {
    const Lanes y = exact_root ? inverse_root(r2) : estimate(r2), y2 = y * y, y3 = y * y2;
    if constexpr (exact_root) return y3;
    const Lanes e = nfma(r2, y2, Lanes(1));
    return fma(y3 * e, fma(Lanes(1.875), e, Lanes(1.5)), y3);
  }
  /// Computed in double and rounded.
  friend HWY_INLINE Lanes natural_log(Lanes x) requires std::same_as<T, float> {
    return in_double(
        x, [](Lanes<double> wide) HWY_ATTR __attribute__((always_inline)) { return natural_log(wide); });
  }
  friend HWY_INLINE Lanes exponential(Lanes x) requires std::same_as<T, float> {
    return in_double(
        x, [](Lanes<double> wide) HWY_ATTR __attribute__((always_inline)) { return exponential(wide); });
  }

  /// The lanes of `value` where `index` differs from j, else 0.
  friend HWY_INLINE Lanes unless_equal(Lanes index, double j, Lanes value) {
    const auto same = hn::Set(Tag<T>(), static_cast<T>(j));
    for (std::size_t k = 0; k < K; ++k) value.v[k] = hn::IfThenElseZero(hn::Ne(index.v[k], same), value.v[k]);
    return value;
  }

 private:
  /// r2^(−1/2) within 2⁻¹¹: the processor's estimate, refined if that has only eight bits or so.
  static HWY_INLINE Lanes estimate(Lanes r2) {
    Lanes y;
    for (std::size_t k = 0; k < K; ++k) y.v[k] = hn::ApproximateReciprocalSqrt(r2.v[k]);
#if !HWY_ARCH_X86 || HWY_TARGET == HWY_SCALAR
    y = fma(y * nfma(r2 * y, y, Lanes(1)), Lanes(0.5), y);
#endif
    return y;
  }

  template <class Function>
  static HWY_INLINE Lanes in_double(Lanes x, Function f) {
    HWY_ALIGN float all[K * width<float>];
    x.store(all);
    for (std::size_t k = 0; k < K * width<float>; k += width<double>) {
      hn::StoreU(narrow(f(Lanes<double>(widen(hn::LoadU(HalfTag(), all + k)))).v[0]), HalfTag(), all + k);
    }
    return load(all);
  }

#if !HWY_NATIVE_FMA
  static HWY_INLINE Lanes library_fma(Lanes a, Lanes b, Lanes c, T sign) {
    static_assert(width<T> == 1);
    for (std::size_t k = 0; k < K; ++k) {
      c.v[k] = hn::Set(Tag<T>(), std::fma(sign * hn::GetLane(a.v[k]), hn::GetLane(b.v[k]), hn::GetLane(c.v[k])));
    }
    return c;
  }
#endif
};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
