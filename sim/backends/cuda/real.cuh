// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp for one CUDA thread.
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

}  // namespace orrery::sim::cuda
