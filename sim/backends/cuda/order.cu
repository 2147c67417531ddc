// SPDX-License-Identifier: MIT
// Columns of a solver that keeps the bodies in an order of its own, and the same in theirs.
#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned order_block = 128;

template <bool into>
__global__ void order_kernel(const double* from, const std::uint32_t* order, double* to, std::size_t n,
                             std::size_t stride) {
  const std::size_t k = blockIdx.x * std::size_t{order_block} + threadIdx.x, row = blockIdx.y * stride;
  if (k >= n) return;
  if constexpr (into) {
    to[row + order[k]] = from[row + k];
  } else {
    to[row + k] = from[row + order[k]];
  }
}

dim3 grid_of(std::size_t n, unsigned rows) {
  return {static_cast<unsigned>((n + order_block - 1) / order_block), rows};
}

}  // namespace

void put_in_order(const double* from, const std::uint32_t* order, double* to, std::size_t n, std::size_t stride,
                  unsigned rows, Stream stream) {
  order_kernel<true><<<grid_of(n, rows), order_block, 0, stream.queue>>>(from, order, to, n, stride);
  check(cudaGetLastError(), "bringing columns into order");
}

void take_out_of_order(const double* from, const std::uint32_t* order, double* to, std::size_t n, std::size_t stride,
                       unsigned rows, Stream stream) {
  order_kernel<false><<<grid_of(n, rows), order_block, 0, stream.queue>>>(from, order, to, n, stride);
  check(cudaGetLastError(), "bringing columns out of order");
}

}  // namespace orrery::sim::cuda
