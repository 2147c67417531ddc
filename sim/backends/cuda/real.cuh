// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp and sim/elementary.hpp for one CUDA thread, in double and in float.
#pragma once

#include "sim/arithmetic.hpp"

namespace orrery::sim::cuda {

/// A double. The intrinsics round once and are never contracted.
struct Real {
  double value;
  Real() = default;
  explicit __device__ __forceinline__ Real(double x) : value(x) {}

  friend __device__ __forceinline__ Real operator+(Real a, Real b) { return Real(__dadd_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Real operator-(Real a, Real b) { return Real(__dsub_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Real operator*(Real a, Real b) { return Real(__dmul_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Real operator/(Real a, Real b) { return Real(__ddiv_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Real fma(Real a, Real b, Real c) {
    return Real(__fma_rn(a.value, b.value, c.value));
  }
  friend __device__ __forceinline__ Real nfma(Real a, Real b, Real c) {
    return Real(__fma_rn(-a.value, b.value, c.value));
  }
  friend __device__ __forceinline__ bool less(Real a, Real b) { return a.value < b.value; }
  friend __device__ __forceinline__ Real select(bool mask, Real a, Real b) { return mask ? a : b; }
  friend __device__ __forceinline__ Real select(bool use, Real x) { return Real(use ? x.value : 0.0); }
};
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

/// How 1/√x is computed in float: the GPU's approximation (error at most 1.25e-7), the same with one Newton step, or a
/// division by the square root, each rounded once.
enum class Root { approximate, refined, exact };

/// A float.
template <Root root>
struct Single {
  float value;
  template <class Number>
  explicit __device__ __forceinline__ Single(Number x) : value(static_cast<float>(x)) {}

  friend __device__ __forceinline__ Single operator+(Single a, Single b) { return Single(__fadd_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Single operator-(Single a, Single b) { return Single(__fsub_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Single operator*(Single a, Single b) { return Single(__fmul_rn(a.value, b.value)); }
  friend __device__ __forceinline__ Single fma(Single a, Single b, Single c) {
    return Single(__fmaf_rn(a.value, b.value, c.value));
  }
  friend __device__ __forceinline__ Single nfma(Single a, Single b, Single c) {
    return Single(__fmaf_rn(-a.value, b.value, c.value));
  }
  friend __device__ __forceinline__ bool less(Single a, Single b) { return a.value < b.value; }
  friend __device__ __forceinline__ Single select(bool mask, Single a, Single b) { return mask ? a : b; }
  friend __device__ __forceinline__ Single select(bool use, Single x) { return Single(use ? x.value : 0.0F); }
  friend __device__ __forceinline__ Single natural_log(Single x) { return Single(logf(x.value)); }
  friend __device__ __forceinline__ Single exponential(Single x) { return Single(expf(x.value)); }

  friend __device__ __forceinline__ Single estimate(Single x) {
    if constexpr (root == Root::exact) return Single(__frcp_rn(__fsqrt_rn(x.value)));
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x.value));
    return Single(y);
  }
  friend __device__ __forceinline__ Single inverse_root(Single r2) {
    const auto y = estimate(r2);
    if constexpr (root != Root::refined) return y;
    return fma(y * Single(0.5F), nfma(r2, y * y, Single(1.0F)), y);
  }
  friend __device__ __forceinline__ Single inverse_square(Single r2) {
    const auto y = inverse_root(r2);
    return y * y;
  }
  /// Too small by the factor inverse_cube_unit if the root is refined.
  friend __device__ __forceinline__ Single inverse_cube(Single r2) {
    const auto y = estimate(r2), y2 = y * y, y3 = y * y2;
    if constexpr (root != Root::refined) return y3;
    return y3 * nfma(r2, y2, Single(5.0F / 3));
  }
};

/// inverse_cube of a refined float is smaller than r⁻³ by this factor: y³(5/3 − r²y²) = ⅔ y³(1 + 3/2 (1 − r²y²)) takes
/// one operation fewer than the series itself, and 5/3 is a rounded number.
template <class Number>
inline constexpr double inverse_cube_unit = 1;
template <>
inline constexpr double inverse_cube_unit<Single<Root::refined>> = static_cast<double>(5.0F / 3) - 1;

}  // namespace orrery::sim::cuda
