// SPDX-License-Identifier: MIT
// Observables: terms of all bodies, added in the canonical tree.
#include <utility>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/terms.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned observe_block = 256;
static_assert(observe_block == sum_block);

/// Returns the sum of a block's terms to thread 0.
__device__ __forceinline__ double tree(double term) {
  __shared__ double t[observe_block];
  __syncthreads();
  t[threadIdx.x] = term;
  for (unsigned half = observe_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) t[threadIdx.x] = __dadd_rn(t[threadIdx.x], t[threadIdx.x + half]);
  }
  return t[0];
}

/// The first level of the tree: the sum of block b of observable q becomes term b of sums[q].
__global__ void terms_kernel(const ObservedState state, double* sums) {
  const Terms terms = terms_of(state, blockIdx.x * std::size_t{observe_block} + threadIdx.x);
#pragma unroll
  for (std::size_t q = 0; q < observable_count; ++q) {
    const double sum = tree(terms.of[q]);
    if (threadIdx.x == 0) sums[q * gridDim.x + blockIdx.x] = sum;
  }
}

/// A further level of the tree.
__global__ void tree_kernel(const double* from, std::size_t n, double* to) {
  const std::size_t i = blockIdx.x * std::size_t{observe_block} + threadIdx.x, q = blockIdx.y;
  const double sum = tree(i < n ? from[q * n + i] : 0.0);
  if (threadIdx.x == 0) to[q * gridDim.x + blockIdx.x] = sum;
}

__global__ void widen_kernel(const double* sums, double* extremes) {
  const unsigned lane = threadIdx.x;
  widen(extremes, lane, lane == 0 ? __dadd_rn(sums[1], sums[2]) : lane < kept_extremes ? sums[5 + lane] : 0);
}

__global__ void __launch_bounds__(approach_block) approach_kernel(const ObservedState state, double* approach) {
  widen_approach(state, min_square(state), approach);
}

}  // namespace

void observe(const ObservedState& state, double* scratch_a, double* scratch_b, double* sums, StreamHandle stream) {
  std::size_t rows = sum_rows(state.n);
  double *from = rows == 1 ? sums : scratch_a, *to = scratch_b;
  terms_kernel<<<static_cast<unsigned>(rows), observe_block, 0, stream.stream>>>(state, from);
  check(cudaGetLastError(), "starting the observables");
  while (rows > 1) {
    const std::size_t next = sum_rows(rows);
    if (next == 1) to = sums;
    tree_kernel<<<dim3(static_cast<unsigned>(next), observable_count), observe_block, 0, stream.stream>>>(from, rows,
                                                                                                          to);
    check(cudaGetLastError(), "starting a tree of sums");
    rows = next;
    std::swap(from, to);
  }
}

void widen_extremes(const double* sums, double* extremes, StreamHandle stream) {
  widen_kernel<<<1, 32, 0, stream.stream>>>(sums, extremes);
  check(cudaGetLastError(), "starting the extremes");
}

void widen_approach(const ObservedState& state, double* approach, StreamHandle stream) {
  approach_kernel<<<1, approach_block, 0, stream.stream>>>(state, approach);
  check(cudaGetLastError(), "starting the closest approach");
}

}  // namespace orrery::sim::cuda
