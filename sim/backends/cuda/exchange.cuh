// SPDX-License-Identifier: MIT
// Signals between kernels of different GPUs.
#pragma once

#include "sim/backends/cuda/exchange.hpp"

namespace orrery::sim::cuda {

/// Waits until another GPU has raised *count to `value`, and for everything that it wrote before. Counts may wrap.
__device__ __forceinline__ void wait_for_signal(const volatile std::uint32_t* count, std::uint32_t value,
                                                const volatile std::uint32_t* lost) {
  // The host's memory is far away, so it is read rarely.
  for (unsigned k = 1; static_cast<std::int32_t>(*count - value) < 0; ++k) {
    __nanosleep(20);
    if (k % 4096 == 0 && *lost != 0) __trap();
  }
  __threadfence_system();
}

/// Called by all threads of all blocks, after what they wrote: the last block tells the other GPUs, and waits for them.
/// So whatever follows the kernel can read what they wrote.
__device__ __forceinline__ void signal_and_wait(const Signals& signals) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence_system();
  if (atomicAdd(signals.finished, 1U) + 1 < gridDim.x * gridDim.y) return;
  *signals.finished = 0;
  __threadfence_system();
  for (int k = 0; k < signals.peer_count; ++k)
    *static_cast<volatile std::uint32_t*>(signals.peers[k].there) = signals.peers[k].sent;
  for (int k = 0; k < signals.peer_count; ++k)
    wait_for_signal(signals.peers[k].here, signals.peers[k].expected, signals.lost);
}

}  // namespace orrery::sim::cuda
