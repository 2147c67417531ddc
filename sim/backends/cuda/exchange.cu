// SPDX-License-Identifier: MIT
// Waiting for another GPU without the host.
#include <cuda_runtime.h>

#include <algorithm>

#include "sim/backends/cuda/exchange.cuh"
#include "sim/backends/cuda/launch.cuh"

namespace orrery::sim::cuda {
namespace {

__global__ void announce_kernel(volatile std::uint32_t* count, std::uint32_t value) {
  __threadfence_system();
  *count = value;
}

__global__ void await_kernel(const std::uint32_t* count, std::uint32_t value, const std::uint32_t* lost) {
  wait_for_signal(count, value, lost);
}

constexpr unsigned swap_block = 256, max_swap_blocks = 128;

template <class Unit>
__device__ void copy_units(const Swap::Copy& copy) {
  const auto* const from = static_cast<const Unit*>(copy.from);
  auto* const to = static_cast<Unit*>(copy.to);
  const std::size_t first = blockIdx.x * swap_block + threadIdx.x, units = copy.bytes / sizeof(Unit);
  for (std::size_t k = first; k < units; k += gridDim.x * swap_block) to[k] = from[k];
}

__global__ void __launch_bounds__(swap_block) swap_kernel(const __grid_constant__ Swap swap) {
  wait_for_previous_kernel();
  let_next_kernel_start();
  for (int k = 0; k < swap.copy_count; ++k) {
    const Swap::Copy& copy = swap.copies[k];
    const auto bits =
        reinterpret_cast<std::uintptr_t>(copy.from) | reinterpret_cast<std::uintptr_t>(copy.to) | copy.bytes;
    if (bits % sizeof(uint4) == 0) {
      copy_units<uint4>(copy);
    } else {
      copy_units<unsigned>(copy);
    }
  }
  signal_and_wait(swap.signals);
}

}  // namespace

void announce(std::uint32_t* count, std::uint32_t value, StreamHandle stream) {
  announce_kernel<<<1, 1, 0, stream.stream>>>(count, value);
  check(cudaGetLastError(), "telling another GPU");
}

void await(const std::uint32_t* count, std::uint32_t value, const std::uint32_t* lost, StreamHandle stream) {
  await_kernel<<<1, 1, 0, stream.stream>>>(count, value, lost);
  check(cudaGetLastError(), "waiting for another GPU");
}

void start_swap(const Swap& swap, StreamHandle stream) {
  std::size_t bytes = 0;
  for (int k = 0; k < swap.copy_count; ++k) bytes += swap.copies[k].bytes;
  const unsigned blocks = std::clamp(blocks_for(bytes, sizeof(uint4) * swap_block), 1U, max_swap_blocks);
  launch_overlapping(swap_kernel, dim3(blocks), swap_block, stream, swap);
}

}  // namespace orrery::sim::cuda
