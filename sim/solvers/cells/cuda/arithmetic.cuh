// SPDX-License-Identifier: MIT
// The arithmetic of laws in a particle's numbers.
#pragma once

#include "sim/backends/cuda/real.cuh"

namespace orrery::sim::cuda {

/// a·b + c, rounded once.
__device__ __forceinline__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}
__device__ __forceinline__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}

template <class T>
struct NumberOf {
  using Real = cuda::Real;
};
template <>
struct NumberOf<float> {
  using Real = Single<Root::approximate>;
};
template <class T, class Law>
__device__ __forceinline__ T c_of(const Law& law, T r2) {
  return law.c(typename NumberOf<T>::Real(r2)).value;
}
template <class T, class Law>
__device__ __forceinline__ T u_of(const Law& law, T r2) {
  return law.u(typename NumberOf<T>::Real(r2)).value;
}

}  // namespace orrery::sim::cuda
