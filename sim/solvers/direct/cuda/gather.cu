// SPDX-License-Identifier: MIT
// Adds the partial sums of a band of chunks to those of the bands before it.
#include "sim/backends/cuda/fused_update.cuh"
#include "sim/solvers/direct/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned gather_block = 128;

template <class Number>
__global__ void gather_kernel(const Slots<Number> slots, std::size_t sums, std::size_t n, double* total,
                              std::size_t stride) {
  const std::size_t i = slots.band.first * slots.row + blockIdx.x * std::size_t{gather_block} + threadIdx.x,
                    q = blockIdx.y;
  if (i >= n) return;
  const std::size_t K = i / slots.row, step = sums * slots.row;
  const Number* part = slots.of(K, slots.band.first_part, sums) + q * slots.row + i % slots.row;
  const unsigned parts = K - slots.band.first < slots.band.split ? slots.band.wide : slots.band.narrow;
  double* const to = total + q * stride + i;
  *to = sum_of_parts(part, step, parts, slots.band.first_part == 0 ? 0.0 : *to);
}

}  // namespace

template <class Number>
void gather(const Slots<Number>& slots, std::size_t sums, std::size_t n, double* total, std::size_t stride,
            StreamHandle stream) {
  const dim3 grid(blocks_for(n - slots.band.first * slots.row, gather_block), static_cast<unsigned>(sums));
  gather_kernel<<<grid, gather_block, 0, stream.stream>>>(slots, sums, n, total, stride);
  check(cudaGetLastError(), "starting a sum of parts");
}

template void gather(const Slots<double>&, std::size_t, std::size_t, double*, std::size_t, StreamHandle);
template void gather(const Slots<float>&, std::size_t, std::size_t, double*, std::size_t, StreamHandle);

}  // namespace orrery::sim::cuda
