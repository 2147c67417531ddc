// SPDX-License-Identifier: MIT
// Operations of eight threads on one cell: the partial sums of a canonical sum.
#pragma once

#include "sim/backends/cuda/real.cuh"
#include "sim/solvers/tree/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Eight threads of a warp.
struct Eight {
  unsigned lane = threadIdx.x % tree::lanes;
  unsigned mask = 0xffU << (threadIdx.x % 32 / tree::lanes * tree::lanes);

  /// The folded sum of the lanes' partial sums, in all of them.
  [[nodiscard]] __device__ __forceinline__ Real fold(Real t) const {
#pragma unroll
    for (int half = tree::lanes / 2; half > 0; half /= 2) t = t + Real(__shfl_xor_sync(mask, t.value, half));
    return t;
  }
};

/// A number that another thread has written during this kernel.
__device__ __forceinline__ Real fresh(const double* from) {
  return Real(__ldcg(from));
}

}  // namespace orrery::sim::cuda
