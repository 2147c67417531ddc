// SPDX-License-Identifier: MIT
// Particles in the order of their cells: which cell, who is in it, and how they come there.
#pragma once

#include <cooperative_groups.h>

#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim::cuda {

using WholeGrid = cooperative_groups::grid_group;

/// Which cell along an axis. It never falls where x rises, so that the cells between those of x − r and x + r hold everybody
/// within r, whatever rounding does.
__device__ __forceinline__ int line(const CellGrid& grid, int axis, float x) {
  const int c = static_cast<int>((x - grid.low[axis]) * grid.inverse[axis]);
  return max(0, min(c, grid.cells[axis] - 1));
}

template <class T>
__device__ __forceinline__ int cell_of(const CellGrid& grid, const Flat<T>& p) {
  return line(grid, 1, static_cast<float>(p.y)) * grid.cells[0] + line(grid, 0, static_cast<float>(p.x));
}
template <class T>
__device__ __forceinline__ int cell_of(const CellGrid& grid, const Solid<T>& p) {
  const int plane = line(grid, 2, static_cast<float>(p.z)) * grid.cells[1] + line(grid, 1, static_cast<float>(p.y));
  return plane * grid.cells[0] + line(grid, 0, static_cast<float>(p.x));
}

/// Thread of all, and how many they are.
__device__ __forceinline__ unsigned thread_of_all() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned all_threads() {
  return gridDim.x * blockDim.x;
}

/// The sum over a block's threads of what is before each, and of all; a block of warps.
__device__ __forceinline__ unsigned sum_before(unsigned own, unsigned& all) {
  __shared__ unsigned of_warp[cell_block / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = own;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += other;
  }
  __syncthreads();
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  unsigned before = 0;
  all = 0;
#pragma unroll
  for (unsigned w = 0; w < cell_block / 32; ++w) {
    if (w < warp) before += of_warp[w];
    all += of_warp[w];
  }
  return before + sum - own;
}

/// start[c] ← how many are in the cells before c; counts become 0. Each block has a stretch of the cells.
template <class T>
__device__ __forceinline__ void scan_cells(const Particles<T, Solid<T>>& s, const WholeGrid& grid) {
  const unsigned cells = static_cast<unsigned>(s.grid.count());
  const unsigned stretch = (cells + gridDim.x - 1) / gridDim.x;
  const unsigned begin = min(blockIdx.x * stretch, cells), end = min(begin + stretch, cells);
  unsigned sum = 0, all;
  for (unsigned c = begin + threadIdx.x; c < end; c += cell_block) sum += s.count[c];
  sum_before(sum, all);
  if (threadIdx.x == 0) s.part[blockIdx.x] = all;
  grid.sync();
  sum = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += cell_block) sum += s.part[b];
  unsigned base;
  sum_before(sum, base);
  for (unsigned from = begin; from < end; from += cell_block) {
    const unsigned c = from + threadIdx.x, own = c < end ? s.count[c] : 0, before = sum_before(own, all);
    if (c < end) s.start[c] = base + before, s.count[c] = 0;
    base += all;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) s.start[cells] = s.n;
  grid.sync();
}

/// Particles ← particles in the order of their cells; `progress` says where they are from then on.
template <class T>
__device__ __forceinline__ void make_cells(const Particles<T, Solid<T>>& s, Progress& progress, const WholeGrid& grid) {
  using V = Solid<T>;
  const V* from = s.position[progress.position];
  for (unsigned i = thread_of_all(); i < s.n; i += all_threads())
    s.rank[i] = atomicAdd(&s.count[cell_of(s.grid, from[i])], 1U);
  grid.sync();
  scan_cells(s, grid);
  const int to = (progress.position + 1) % 3, other = 1 - progress.velocity;
  for (unsigned i = thread_of_all(); i < s.n; i += all_threads()) {
    const V p = from[i];
    const unsigned k = s.start[cell_of(s.grid, p)] + s.rank[i];
    s.position[to][k] = p;
    s.velocity[other][k] = s.velocity[progress.velocity][i];
    s.near[k] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), p.id};
  }
  grid.sync();
  progress.position = progress.built = to;
  progress.velocity = other;
  progress.has_cells = 1;
  if (thread_of_all() == 0) ++s.control->made;
}

}  // namespace orrery::sim::cuda
