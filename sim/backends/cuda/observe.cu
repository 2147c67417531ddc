// SPDX-License-Identifier: MIT
// The observables: terms of all bodies, added in the canonical tree.
#include <utility>

#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/launch.cuh"

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

/// What body i adds to each observable; zeros beyond the last one.
struct Terms {
  double of[observable_count];
};

__device__ __forceinline__ Terms terms_of(const double* mass, const double* x, const double* v, const double* potential,
                                          std::size_t n, std::size_t stride, std::size_t i) {
  Terms all{};
  double(&terms)[observable_count] = all.of;
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
  return all;
}

/// The first level: block b of observable q becomes term b of sums[q].
__global__ void terms_kernel(const double* mass, const double* x, const double* v, const double* potential,
                             std::size_t n, std::size_t stride, double* sums) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x;
  const Terms terms = terms_of(mass, x, v, potential, n, stride, i);
#pragma unroll
  for (std::size_t q = 0; q < observable_count; ++q) {
    const double sum = tree(terms.of[q]);
    if (threadIdx.x == 0) sums[q * gridDim.x + blockIdx.x] = sum;
  }
}

/// A further level.
__global__ void tree_kernel(const double* from, std::size_t n, double* to) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x, q = blockIdx.y;
  const double sum = tree(i < n ? from[q * n + i] : 0.0);
  if (threadIdx.x == 0) to[q * gridDim.x + blockIdx.x] = sum;
}

/// By one thread. As sim/extremes.hpp: of equal numbers the earlier one stays.
__device__ __forceinline__ void widen(double* extremes, double kinetic, double potential, double x, double y,
                                      double z) {
  const bool first = extremes[0] == 0;
  extremes[0] += 1;
  const auto meet = [&](double* low, double* high, double value) {
    if (first || value < *low) *low = value;
    if (first || value > *high) *high = value;
  };
  meet(extremes + 1, extremes + 2, __dadd_rn(kinetic, potential));
  meet(extremes + 3, extremes + 6, x);
  meet(extremes + 4, extremes + 7, y);
  meet(extremes + 5, extremes + 8, z);
}

__global__ void widen_kernel(const double* sums, double* extremes) {
  widen(extremes, sums[1], sums[2], sums[6], sums[7], sums[8]);
}

/// All of it for the bodies of one tree, by one warp: a step of so few bodies takes little longer than a launch.
__global__ void __launch_bounds__(32)
    widen_few_kernel(const double* mass, const double* x, const double* v, const double* potential, std::size_t n,
                     std::size_t stride, double* extremes) {
  constexpr int lanes = 32, rows = block / lanes, sums = 5;
  constexpr int wanted[sums] = {1, 2, 6, 7, 8};
  double t[sums][rows];  // term 32 j + lane of the tree is t[…][j]
  wait_for_earlier();
  let_next_come();
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    const Terms terms = terms_of(mass, x, v, potential, n, stride, static_cast<std::size_t>(lanes * j) + threadIdx.x);
#pragma unroll
    for (int k = 0; k < sums; ++k) t[k][j] = terms.of[wanted[k]];
  }
#pragma unroll
  for (int half = rows / 2; half > 0; half /= 2) {
#pragma unroll
    for (int j = 0; j < half; ++j) {
#pragma unroll
      for (int k = 0; k < sums; ++k) t[k][j] = __dadd_rn(t[k][j], t[k][j + half]);
    }
  }
#pragma unroll
  for (int half = lanes / 2; half > 0; half /= 2) {
#pragma unroll
    for (int k = 0; k < sums; ++k) t[k][0] = __dadd_rn(t[k][0], __shfl_down_sync(~0U, t[k][0], half));
  }
  if (threadIdx.x == 0) widen(extremes, t[0][0], t[1][0], t[2][0], t[3][0], t[4][0]);
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

void widen_extremes(const double* mass, const double* position, const double* velocity, const double* potential,
                    std::size_t n, std::size_t stride, double* scratch_a, double* scratch_b, double* sums,
                    double* extremes, Stream stream) {
  if (n <= block) {
    launch_close_behind(widen_few_kernel, dim3(1), 32, stream, mass, position, velocity, potential, n, stride,
                        extremes);
  } else {
    observe(mass, position, velocity, potential, n, stride, scratch_a, scratch_b, sums, stream);
    widen_kernel<<<1, 1, 0, stream.queue>>>(sums, extremes);
  }
  check(cudaGetLastError(), "starting the extremes");
}

}  // namespace orrery::sim::cuda
