// SPDX-License-Identifier: MIT
// Asynchronous copies of 16 bytes from global to shared memory; before compute capability 8.0 ordinary ones.
#pragma once

#include <cstdint>

namespace orrery::sim::cuda {

struct alignas(16) Sixteen {
  double low, high;
};

/// Kept in the first-level cache, since neighbouring targets have many sources in common.
__device__ __forceinline__ void start_copy(Sixteen* to, const Sixteen* from) {
#if __CUDA_ARCH__ >= 800
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
#else
  *to = *from;
#endif
}
/// Copies started by a thread since the last call are a group.
__device__ __forceinline__ void end_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until at most `groups` groups of this thread are incomplete.
template <int groups>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

}  // namespace orrery::sim::cuda
