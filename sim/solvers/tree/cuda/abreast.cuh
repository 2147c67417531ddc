// SPDX-License-Identifier: MIT
// Several numbers of one thread abreast: the operations of sim/arithmetic.hpp for each of them, one operation after the
// other for all, so that the thread does not wait for the result of one before it begins the next.
#pragma once

#include "sim/backends/cuda/real.cuh"

namespace orrery::sim::cuda {

template <int count>
struct Abreast {
  Real of[count];

  Abreast() = default;
  explicit __device__ __forceinline__ Abreast(double x) {
#pragma unroll
    for (int k = 0; k < count; ++k) of[k] = Real(x);
  }
  /// act(k) for each.
  template <class Act>
  static __device__ __forceinline__ Abreast each(const Act& act) {
    Abreast all;
#pragma unroll
    for (int k = 0; k < count; ++k) all.of[k] = act(k);
    return all;
  }

  friend __device__ __forceinline__ Abreast operator+(const Abreast& a, const Abreast& b) {
    return each([&](int k) { return a.of[k] + b.of[k]; });
  }
  friend __device__ __forceinline__ Abreast operator-(const Abreast& a, const Abreast& b) {
    return each([&](int k) { return a.of[k] - b.of[k]; });
  }
  friend __device__ __forceinline__ Abreast operator*(const Abreast& a, const Abreast& b) {
    return each([&](int k) { return a.of[k] * b.of[k]; });
  }
  friend __device__ __forceinline__ Abreast operator/(const Abreast& a, const Abreast& b) {
    return each([&](int k) { return a.of[k] / b.of[k]; });
  }
  friend __device__ __forceinline__ Abreast fma(const Abreast& a, const Abreast& b, const Abreast& c) {
    return each([&](int k) { return fma(a.of[k], b.of[k], c.of[k]); });
  }
  friend __device__ __forceinline__ Abreast nfma(const Abreast& a, const Abreast& b, const Abreast& c) {
    return each([&](int k) { return nfma(a.of[k], b.of[k], c.of[k]); });
  }
  friend __device__ __forceinline__ Abreast inverse_root_seed(const Abreast& r2) {
    return each([&](int k) { return inverse_root_seed(r2.of[k]); });
  }
  friend __device__ __forceinline__ Split<Abreast> split(const Abreast& x) {
    return {each([&](int k) { return split(x.of[k]).significand; }),
            each([&](int k) { return split(x.of[k]).exponent; })};
  }
};

}  // namespace orrery::sim::cuda
