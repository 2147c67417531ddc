// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp and sim/elementary.hpp for one CUDA thread, in double and in float.
#pragma once

#include "sim/arithmetic.hpp"

namespace orrery::sim::cuda {

/// A double of a thread. The intrinsics round once and are never contracted.
struct Real {
  double value;
  explicit __device__ __forceinline__ Real(double x) : value(x) {}
};
__device__ __forceinline__ Real operator+(Real a, Real b) {
  return Real(__dadd_rn(a.value, b.value));
}
__device__ __forceinline__ Real operator-(Real a, Real b) {
  return Real(__dsub_rn(a.value, b.value));
}
__device__ __forceinline__ Real operator*(Real a, Real b) {
  return Real(__dmul_rn(a.value, b.value));
}
__device__ __forceinline__ Real operator/(Real a, Real b) {
  return Real(__ddiv_rn(a.value, b.value));
}
__device__ __forceinline__ Real fma(Real a, Real b, Real c) {
  return Real(__fma_rn(a.value, b.value, c.value));
}
__device__ __forceinline__ Real nfma(Real a, Real b, Real c) {
  return Real(__fma_rn(-a.value, b.value, c.value));
}
__device__ __forceinline__ Real inverse_root_seed(Real r2) {
  const auto high = static_cast<unsigned>(__double2hiint(r2.value));
  return Real(__hiloint2double(static_cast<int>(seed_constant - (high >> 1)), 0));
}
__device__ __forceinline__ Split<Real> split(Real x) {
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(x.value)) + split_offset;
  const auto significand = static_cast<long long>((bits & split_mantissa) + split_least);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  return {Real(__longlong_as_double(significand)), Real(static_cast<double>(exponent))};
}
__device__ __forceinline__ Real power_of_two(Real k) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong((k + Real(power_of_two_offset)).value));
  return Real(__longlong_as_double(static_cast<long long>(bits << 52)));
}
__device__ __forceinline__ bool less(Real a, Real b) {
  return a.value < b.value;
}
__device__ __forceinline__ Real select(bool mask, Real a, Real b) {
  return mask ? a : b;
}
__device__ __forceinline__ Real select(bool use, Real value) {
  return Real(use ? value.value : 0.0);
}

/// How a float comes to 1/√x: the GPU's approximation (off by 1.25e-7 at most), that with a step of Newton's
/// method, or a division by the square root, each rounded once.
enum class Root { approximate, refined, exact };

/// A float of a thread.
template <Root root>
struct Single {
  float value;
  template <class Number>
  explicit __device__ __forceinline__ Single(Number x) : value(static_cast<float>(x)) {}
};
template <Root root>
__device__ __forceinline__ Single<root> operator+(Single<root> a, Single<root> b) {
  return Single<root>(__fadd_rn(a.value, b.value));
}
template <Root root>
__device__ __forceinline__ Single<root> operator-(Single<root> a, Single<root> b) {
  return Single<root>(__fsub_rn(a.value, b.value));
}
template <Root root>
__device__ __forceinline__ Single<root> operator*(Single<root> a, Single<root> b) {
  return Single<root>(__fmul_rn(a.value, b.value));
}
template <Root root>
__device__ __forceinline__ Single<root> fma(Single<root> a, Single<root> b, Single<root> c) {
  return Single<root>(__fmaf_rn(a.value, b.value, c.value));
}
template <Root root>
__device__ __forceinline__ Single<root> nfma(Single<root> a, Single<root> b, Single<root> c) {
  return Single<root>(__fmaf_rn(-a.value, b.value, c.value));
}
template <Root root>
__device__ __forceinline__ bool less(Single<root> a, Single<root> b) {
  return a.value < b.value;
}
template <Root root>
__device__ __forceinline__ Single<root> select(bool mask, Single<root> a, Single<root> b) {
  return mask ? a : b;
}
template <Root root>
__device__ __forceinline__ Single<root> select(bool use, Single<root> value) {
  return Single<root>(use ? value.value : 0.0F);
}
template <Root root>
__device__ __forceinline__ Single<root> natural_log(Single<root> x) {
  return Single<root>(logf(x.value));
}
template <Root root>
__device__ __forceinline__ Single<root> exponential(Single<root> x) {
  return Single<root>(expf(x.value));
}

template <Root root>
__device__ __forceinline__ Single<root> estimate(Single<root> x) {
  if constexpr (root == Root::exact) return Single<root>(__frcp_rn(__fsqrt_rn(x.value)));
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x.value));
  return Single<root>(y);
}
template <Root root>
__device__ __forceinline__ Single<root> inverse_root(Single<root> r2) {
  const auto y = estimate(r2);
  if constexpr (root != Root::refined) return y;
  return fma(y * Single<root>(0.5F), nfma(r2, y * y, Single<root>(1.0F)), y);
}

template <Root root>
__device__ __forceinline__ Single<root> inverse_square(Single<root> r2) {
  const auto y = inverse_root(r2);
  return y * y;
}

/// inverse_cube of a refined float is smaller than r⁻³ by this factor: y³(5/3 − r²y²) = ⅔ y³(1 + 3/2 (1 − r²y²)) is one
/// operation shorter than the series itself, and 5/3 is a rounded number.
template <class Number>
inline constexpr double inverse_cube_unit = 1;
template <>
inline constexpr double inverse_cube_unit<Single<Root::refined>> = static_cast<double>(5.0F / 3) - 1;

template <Root root>
__device__ __forceinline__ Single<root> inverse_cube(Single<root> r2) {
  const auto y = estimate(r2), y2 = y * y, y3 = y * y2;
  if constexpr (root != Root::refined) return y3;
  return y3 * nfma(r2, y2, Single<root>(5.0F / 3));
}

}  // namespace orrery::sim::cuda
