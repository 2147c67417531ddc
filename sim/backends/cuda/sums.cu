// SPDX-License-Identifier: MIT
// What goes over bodies once: adding partial sums, combining columns, and the trees of observables.
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/pair_order.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned block = 256;
static_assert(block == sum_block);

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + block - 1) / block);
}

__device__ __forceinline__ std::size_t index() {
  return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
}

__global__ void add_kernel(const double* partial, std::size_t chunks, std::size_t n, std::size_t stride,
                           const double* response, bool first, double* acceleration, double* potential) {
  const std::size_t i = index(), q = blockIdx.y;
  if (i >= n) return;
  double sum = 0;
  for (std::size_t c = 0; c < chunks; ++c) sum = __dadd_rn(sum, partial[(c * 4 + q) * stride + i]);
  double* to = q < 3 ? acceleration + q * stride + i : potential + i;
  *to = first ? __dmul_rn(response[i], sum) : __fma_rn(response[i], sum, *to);
}

__global__ void combine_kernel(double* target, Combination c, std::size_t count) {
  const std::size_t i = index();
  if (i >= count) return;
  double sum = c.factors[0] == 1.0 ? c.sources[0][i] : __dmul_rn(c.factors[0], c.sources[0][i]);
  for (int k = 1; k < c.terms; ++k) sum = __fma_rn(c.factors[k], c.sources[k][i], sum);
  target[i] = sum;
}

__global__ void terms_kernel(const double* mass, const double* x, const double* v, const double* potential,
                             std::size_t n, std::size_t stride, double* terms) {
  const std::size_t i = index();
  if (i >= n) return;
  const double m = mass[i], vx = v[i], vy = v[i + stride], vz = v[i + 2 * stride];
  const double px = x[i], py = x[i + stride], pz = x[i + 2 * stride];
  const double half = __dmul_rn(0.5, m);
  const auto moment = [](double a, double b, double c, double d) { return __fma_rn(a, b, -__dmul_rn(c, d)); };
  const double all[observable_count] = {
      m,
      __dmul_rn(half, __fma_rn(vx, vx, __fma_rn(vy, vy, __dmul_rn(vz, vz)))),
      __dmul_rn(half, potential[i]),
      __dmul_rn(m, vx),
      __dmul_rn(m, vy),
      __dmul_rn(m, vz),
      __dmul_rn(m, moment(py, vz, pz, vy)),
      __dmul_rn(m, moment(pz, vx, px, vz)),
      __dmul_rn(m, moment(px, vy, py, vx)),
      __dmul_rn(m, px),
      __dmul_rn(m, py),
      __dmul_rn(m, pz),
  };
  for (std::size_t q = 0; q < observable_count; ++q) terms[q * stride + i] = all[q];
}

/// One level of the tree: block b of row q becomes term b of `to`.
__global__ void tree_kernel(const double* from, std::size_t from_stride, double* to, std::size_t to_stride,
                            std::size_t n) {
  __shared__ double t[block];
  const std::size_t i = index(), q = blockIdx.y;
  t[threadIdx.x] = i < n ? from[q * from_stride + i] : 0.0;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) t[threadIdx.x] = __dadd_rn(t[threadIdx.x], t[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) to[q * to_stride + blockIdx.x] = t[0];
}

}  // namespace

int kernels_present() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, combine_kernel);
}

void add_partials(const double* partial, std::size_t chunks, std::size_t n, std::size_t stride, bool with_potential,
                  const double* response, bool first, double* acceleration, double* potential) {
  const dim3 grid(blocks_for(n), with_potential ? 4 : 3);
  add_kernel<<<grid, block>>>(partial, chunks, n, stride, response, first, acceleration, potential);
  check(cudaGetLastError(), "starting the sum of chunks");
}

void combine(double* target, const Combination& combination, std::size_t count) {
  combine_kernel<<<blocks_for(count), block>>>(target, combination, count);
  check(cudaGetLastError(), "starting a combination");
}

void observable_terms(const double* mass, const double* position, const double* velocity, const double* potential,
                      std::size_t n, std::size_t stride, double* terms) {
  terms_kernel<<<blocks_for(n), block>>>(mass, position, velocity, potential, n, stride, terms);
  check(cudaGetLastError(), "starting the observables");
}

void canonical_sums(const double* terms, std::size_t n, std::size_t stride, double* scratch_a, double* scratch_b,
                    double* sums) {
  const double* from = terms;
  std::size_t from_stride = stride;
  double *to = scratch_a, *other = scratch_b;
  while (true) {
    const unsigned blocks = blocks_for(n);
    double* target = blocks == 1 ? sums : to;
    const std::size_t target_stride = blocks == 1 ? 1 : blocks;
    tree_kernel<<<dim3(blocks, observable_count), block>>>(from, from_stride, target, target_stride, n);
    check(cudaGetLastError(), "starting a tree of sums");
    if (blocks == 1) return;
    from = target, from_stride = target_stride, n = blocks;
    std::swap(to, other);
  }
}

}  // namespace orrery::sim::cuda
