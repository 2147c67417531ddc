// SPDX-License-Identifier: MIT
// Adds the partial sums of a band of chunks to those of the bands before it.
#include "sim/backends/cuda/exchange.cuh"
#include "sim/backends/cuda/fused_update.cuh"
#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/kernels.cuh"
#include "sim/solvers/direct/cuda/pass_on.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned gather_block = 128;

/// Returns sum `q` of body i over the chunks of the bands before and of this one.
template <class Number>
__device__ __forceinline__ double sum_with_band(const Slots<Number>& slots, std::size_t sums, std::size_t q,
                                                std::size_t i, double before) {
  const std::size_t K = i / slots.row, step = sums * slots.row;
  const Number* part = slots.of(K, slots.band.first_part, sums) + q * slots.row + i % slots.row;
  const unsigned parts = K - slots.band.first < slots.band.split ? slots.band.wide : slots.band.narrow;
  return sum_of_parts(part, step, parts, before);
}

template <class Number>
__global__ void gather_kernel(const Slots<Number> slots, std::size_t sums, std::size_t n, double* total,
                              std::size_t stride) {
  const std::size_t i = slots.band.first * slots.row + blockIdx.x * std::size_t{gather_block} + threadIdx.x,
                    q = blockIdx.y;
  if (i >= n) return;
  double* const to = total + q * stride + i;
  *to = sum_with_band(slots, sums, q, i, slots.band.first_part == 0 ? 0.0 : *to);
}

template <class Number>
__global__ void __launch_bounds__(gather_block)
    pass_on_kernel(const Slots<Number> slots, std::size_t n, const __grid_constant__ PassedOn to) {
  wait_for_previous_kernel();
  let_next_kernel_start();
  const std::size_t i = to.begin + blockIdx.x * std::size_t{gather_block} + threadIdx.x, q = blockIdx.y;
  const std::size_t at = q * to.stride + i;
  const bool is_first = slots.band.first_part == 0;
  if (!is_first) {
    const Signals::Peer& before = to.signals.peers[to.signals.peer_count - 1];
    if (threadIdx.x == 0) wait_for_signal(before.here, before.expected, to.signals.lost);
    __syncthreads();
  }
  if (i < n) {
    const double sum = sum_with_band(slots, gridDim.y, q, i, is_first ? 0.0 : __ldcg(to.running + at));
    if (i < to.end) {
      for (int rank = 0; rank <= to.signals.peer_count; ++rank) to.complete[rank][at] = sum;
    } else {
      to.next[at] = sum;
    }
  }
  signal_and_wait(to.signals);
}

}  // namespace

template <class Number>
void gather(const Slots<Number>& slots, std::size_t sums, std::size_t n, double* total, std::size_t stride,
            StreamHandle stream) {
  const dim3 grid(blocks_for(n - slots.band.first * slots.row, gather_block), static_cast<unsigned>(sums));
  gather_kernel<<<grid, gather_block, 0, stream.stream>>>(slots, sums, n, total, stride);
  check(cudaGetLastError(), "starting a sum of parts");
}

template <class Number>
void pass_on(const Slots<Number>& band, std::size_t sums, std::size_t n, const PassedOn& to, StreamHandle stream) {
  const dim3 grid(blocks_for(n - to.begin, gather_block), static_cast<unsigned>(sums));
  launch_overlapping(pass_on_kernel<Number>, grid, gather_block, stream, band, n, to);
}

template void pass_on(const Slots<double>&, std::size_t, std::size_t, const PassedOn&, StreamHandle);
template void pass_on(const Slots<float>&, std::size_t, std::size_t, const PassedOn&, StreamHandle);
template void gather(const Slots<double>&, std::size_t, std::size_t, double*, std::size_t, StreamHandle);
template void gather(const Slots<float>&, std::size_t, std::size_t, double*, std::size_t, StreamHandle);

}  // namespace orrery::sim::cuda
