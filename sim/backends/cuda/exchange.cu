// SPDX-License-Identifier: MIT
// Waiting for another GPU without the host.
#include <cuda_runtime.h>

#include "sim/backends/cuda/exchange.hpp"

namespace orrery::sim::cuda {
namespace {

__global__ void announce_kernel(volatile std::uint32_t* count, std::uint32_t value) {
  __threadfence_system();
  *count = value;
}

__global__ void await_kernel(const volatile std::uint32_t* count, std::uint32_t value,
                             const volatile std::uint32_t* lost) {
  // The host's memory is far away, so it is read rarely. Counts may wrap.
  for (unsigned k = 1; static_cast<std::int32_t>(*count - value) < 0; ++k) {
    __nanosleep(100);
    if (k % 1024 == 0 && *lost != 0) __trap();
  }
  __threadfence_system();
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

}  // namespace orrery::sim::cuda
