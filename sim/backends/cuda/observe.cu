// SPDX-License-Identifier: MIT
// The observables: terms of all bodies, added in the canonical tree.
#include <utility>

#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned block = 256;
static_assert(block == sum_block);

/// The sum of a block's terms; thread 0 has it.
__device__ __forceinline__ double tree(double term) {
  __shared__ double t[block];
  __syncthreads();
  t[threadIdx.x] = term;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) t[threadIdx.x] = __dadd_rn(t[threadIdx.x], t[threadIdx.x + half]);
  }
  return t[0];
}

/// The first level: block b of observable q becomes term b of sums[q].
__global__ void terms_kernel(const double* mass, const double* x, const double* v, const double* potential,
                             std::size_t n, std::size_t stride, double* sums) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x;
  double terms[observable_count] = {};
  if (i < n) {
    const double m = mass[i], vx = v[i], vy = v[i + stride], vz = v[i + 2 * stride];
    const double px = x[i], py = x[i + stride], pz = x[i + 2 * stride];
    const double half = __dmul_rn(0.5, m);
    const auto moment = [](double a, double b, double c, double d) { return __fma_rn(a, b, -__dmul_rn(c, d)); };
    terms[0] = m;
    terms[1] = __dmul_rn(half, __fma_rn(vx, vx, __fma_rn(vy, vy, __dmul_rn(vz, vz))));
    terms[2] = __dmul_rn(half, potential[i]);
    terms[3] = __dmul_rn(m, vx);
    terms[4] = __dmul_rn(m, vy);
    terms[5] = __dmul_rn(m, vz);
    terms[6] = __dmul_rn(m, moment(py, vz, pz, vy));
    terms[7] = __dmul_rn(m, moment(pz, vx, px, vz));
    terms[8] = __dmul_rn(m, moment(px, vy, py, vx));
    terms[9] = __dmul_rn(m, px);
    terms[10] = __dmul_rn(m, py);
    terms[11] = __dmul_rn(m, pz);
  }
#pragma unroll
  for (std::size_t q = 0; q < observable_count; ++q) {
    const double sum = tree(terms[q]);
    if (threadIdx.x == 0) sums[q * gridDim.x + blockIdx.x] = sum;
  }
}

/// A further level.
__global__ void tree_kernel(const double* from, std::size_t n, double* to) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x, q = blockIdx.y;
  const double sum = tree(i < n ? from[q * n + i] : 0.0);
  if (threadIdx.x == 0) to[q * gridDim.x + blockIdx.x] = sum;
}

}  // namespace

void observe(const double* mass, const double* position, const double* velocity, const double* potential, std::size_t n,
             std::size_t stride, double* scratch_a, double* scratch_b, double* sums, Stream stream) {
  std::size_t rows = sum_rows(n);
  double *from = rows == 1 ? sums : scratch_a, *to = scratch_b;
  terms_kernel<<<static_cast<unsigned>(rows), block, 0, stream.queue>>>(mass, position, velocity, potential, n, stride,
                                                                        from);
  check(cudaGetLastError(), "starting the observables");
  while (rows > 1) {
    const std::size_t next = sum_rows(rows);
    if (next == 1) to = sums;
    tree_kernel<<<dim3(static_cast<unsigned>(next), observable_count), block, 0, stream.queue>>>(from, rows, to);
    check(cudaGetLastError(), "starting a tree of sums");
    rows = next;
    std::swap(from, to);
  }
}

}  // namespace orrery::sim::cuda
