// SPDX-License-Identifier: MIT
// Counting sort of particles in a plane by cells: the work of one thread, and the whole sort by one cluster.
#pragma once

#include <cooperative_groups.h>

#include <cub/block/block_scan.cuh>

#include "sim/solvers/cells/cuda/particle_ops.cuh"

namespace orrery::sim::cuda {

/// Moves a particle to its cell in the other buffers; returns the maximum component of its velocity.
template <class T>
__device__ __forceinline__ float place(const Particles<T, Flat<T>>& s, const SearchState& search, unsigned i) {
  const Flat<T> p = s.position[search.position][i], v = s.velocity[search.velocity][i];
  const unsigned to = s.start[cell_of(s.grid, p)] + s.rank[i];
  s.position[1 - search.position][to] = p;
  if constexpr (sizeof(T) > sizeof(float)) {
    s.rounded[1 - search.position][to] = {static_cast<float>(p.x), static_cast<float>(p.y)};
  }
  s.velocity[1 - search.velocity][to] = v;
  s.id[1 - search.velocity][to] = s.id[search.velocity][i];
  return fmaxf(fabsf(static_cast<float>(v.x)), fabsf(static_cast<float>(v.y)));
}

/// Raises the next bound of speeds to the maximum of a warp.
__device__ __forceinline__ void raise_speed(Control& control, const SearchState& search, float speed) {
  for (int lanes = 16; lanes > 0; lanes /= 2) speed = fmaxf(speed, __shfl_xor_sync(~0U, speed, lanes));
  unsigned* const fastest = &control.word.fastest[1 - search.slot];
  if (threadIdx.x % 32 == 0 && __float_as_uint(speed) > *static_cast<volatile unsigned*>(fastest))
    atomicMax(fastest, __float_as_uint(speed));
}

#if __CUDA_ARCH__ >= 900
/// [begin, end): the particles of this block.
template <class T>
__device__ __noinline__ void sort_in_a_cluster(const Particles<T, Flat<T>>& s, SearchState search, unsigned begin,
                                               unsigned end) {
  using Scan = cub::BlockScan<unsigned, cluster_block>;
  __shared__ typename Scan::TempStorage memory;
  const auto cluster = cooperative_groups::this_cluster();
  if (!search.counts) {
    for (unsigned i = begin + threadIdx.x; i < end; i += cluster_block)
      s.rank[i] = count_in_cell(s, s.position[search.position][i]);
    cluster.sync();
  }
  if (blockIdx.x == 0) {
    const unsigned cells = static_cast<unsigned>(s.grid.count()) + 1;
    unsigned before = 0;
    for (unsigned from = 0; from < cells; from += 4 * cluster_block) {
      const unsigned first = from + 4 * threadIdx.x;
      unsigned own[4], all;
      for (unsigned k = 0; k < 4; ++k) own[k] = first + k < cells ? s.count[first + k] : 0;
      Scan(memory).ExclusiveSum(own, own, all);
      for (unsigned k = 0; k < 4; ++k) {
        if (first + k < cells) s.start[first + k] = before + own[k], s.count[first + k] = 0;
      }
      before += all;
      __syncthreads();
    }
  }
  cluster.sync();
  float speed = 0;
  for (unsigned i = begin + threadIdx.x; i < end; i += cluster_block) speed = fmaxf(speed, place(s, search, i));
  raise_speed(*s.control, search, speed);
  cluster.sync();
}
#endif

}  // namespace orrery::sim::cuda
