// SPDX-License-Identifier: MIT
// Asynchronous copies from global to shared memory, and rows of moments and series there.
#pragma once

#include "sim/solvers/tree/cuda/kernels.cuh"

namespace orrery::sim::cuda {

struct alignas(16) Sixteen {
  double low, high;
};

/// An address in shared memory for start_copy. Computed once: the compiler would compute it again for each copy.
__device__ __forceinline__ std::uint32_t shared_address(const Sixteen* at) {
  auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
  asm volatile("" : "+r"(address));
  return address;
}
/// Keeps what it reads in the first-level cache, since neighbouring targets have many sources in common. An ordinary
/// copy before compute capability 8.0.
__device__ __forceinline__ void start_copy(std::uint32_t to, const Sixteen* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#else
  const Sixteen value = *from;
  asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(to), "d"(value.low), "d"(value.high) : "memory");
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

/// Rows of moments or series in shared memory, one a lane, with a gap that makes the number of groups of 16 bytes odd: lanes read from different
/// banks.
template <int P>
struct TreeRows {
  static constexpr int pieces = row_of(P) / 2, step = pieces | 1;
  Sixteen of[32 * step];

  [[nodiscard]] __device__ __forceinline__ Sixteen* row(unsigned lane) { return of + lane * step; }

  /// Starts to copy the row of each lane's cell, one row or several at a time. By the whole warp.
  __device__ __forceinline__ void start(const double* rows, std::uint32_t cell) {
    constexpr int at_once = pieces < 32 ? 32 / pieces : 1, lanes = at_once > 1 ? pieces : 32;
    constexpr auto size = static_cast<std::uint32_t>(sizeof(Sixteen));
    const int lane = static_cast<int>(threadIdx.x % 32), row = lane / lanes, piece = lane % lanes;
    const auto* from = reinterpret_cast<const Sixteen*>(rows) + piece;
    asm volatile("" : "+l"(from));  // as in shared_address
    const std::uint32_t to = shared_address(of + row * step + piece);
#pragma unroll
    for (int k = 0; k < 32; k += at_once) {
      const std::uint32_t wanted = __shfl_sync(~0U, cell, k + row);
#pragma unroll
      for (int of_row = 0; of_row < pieces; of_row += lanes) {
        if (piece + of_row < pieces && row < at_once && k + row < 32)
          start_copy(to + (k * step + of_row) * size, from + std::size_t{wanted} * pieces + of_row);
      }
    }
    end_group();
  }
};

}  // namespace orrery::sim::cuda
