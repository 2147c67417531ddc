// SPDX-License-Identifier: MIT
// Which cell a particle is in.
#pragma once

#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim::cuda {

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

}  // namespace orrery::sim::cuda
