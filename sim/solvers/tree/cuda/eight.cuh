// SPDX-License-Identifier: MIT
// Eight threads that share the partial sums of a canonical sum, and go up from cell to cell.
#pragma once

#include "sim/backends/cuda/real.cuh"
#include "sim/solvers/tree/cuda/kernels.cuh"

namespace orrery::sim::cuda {

struct Eight {
  unsigned lane = threadIdx.x % tree::lanes;
  unsigned mask = 0xffU << (threadIdx.x % 32 / tree::lanes * tree::lanes);

  /// The folded sum of the lanes' partial sums, in all of them.
  [[nodiscard]] __device__ __forceinline__ Real fold(Real t) const { return fold_within(mask, t); }
  /// The same if the whole warp calls it, which takes a fraction of the code.
  [[nodiscard]] static __device__ __forceinline__ Real fold_all(Real t) { return fold_within(~0U, t); }

 private:
  [[nodiscard]] static __device__ __forceinline__ Real fold_within(unsigned lanes, Real t) {
#pragma unroll
    for (int half = tree::lanes / 2; half > 0; half /= 2) t = t + Real(__shfl_xor_sync(lanes, t.value, half));
    return t;
  }
};

/// Room in shared memory in which eight threads fold many sums, each an eighth of them: a third of the instructions of
/// shuffles. A gap after eight numbers: lanes use different banks.
template <int count>
struct FoldRoom {
  double of[count][tree::lanes + 1];

  /// to[k] ← the folded sum of t[k].
  __device__ __forceinline__ void fold(const Eight& eight, const Real* t, double* to) {
    __syncwarp(eight.mask);
#pragma unroll
    for (int k = 0; k < count; ++k) of[k][eight.lane] = t[k].value;
    __syncwarp(eight.mask);
    constexpr int lanes = static_cast<int>(tree::lanes);
#pragma unroll
    for (int from = 0; from < count; from += lanes) {
      const int k = from + static_cast<int>(eight.lane);
      if (k >= count) continue;
      const auto at = [&](int lane) { return Real(of[k][lane]); };
      to[k] = (((at(0) + at(4)) + (at(2) + at(6))) + ((at(1) + at(5)) + (at(3) + at(7)))).value;
    }
  }
};

__device__ __forceinline__ Triple<Real> vector_of(const TreePoint& at) {
  return {Real(at.x), Real(at.y), Real(at.z)};
}
__device__ __forceinline__ Triple<Real> operator-(const Triple<Real>& a, const Triple<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// Reports a complete cell to its parent. Returns whether it was the last of `expected` children, so that these eight
/// threads go on with the parent.
__device__ __forceinline__ bool arrive(const TreeOfForce& tree, const Eight& eight, std::uint32_t parent,
                                       std::uint32_t expected) {
  __syncwarp(eight.mask);
  std::uint32_t before = 0;
  if (eight.lane == 0) {
    __threadfence();
    before = atomicAdd(tree.arrived + parent, 1U);
    if (before + 1 == expected) tree.arrived[parent] = 0;
    __threadfence();
  }
  return __shfl_sync(eight.mask, before, 0, tree::lanes) + 1 == expected;
}

}  // namespace orrery::sim::cuda
