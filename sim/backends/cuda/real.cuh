// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp and sim/elementary.hpp for one CUDA thread.
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

}  // namespace orrery::sim::cuda
