// SPDX-License-Identifier: MIT
// Short-range particles in bins on a GPU: decisions of a rung, prefix sums, and the force of a pair.
#pragma once

#include "sim/study/cuda/steps.cuh"
#include "sim/study/short_range.hpp"

namespace orrery::sim::study {

/// The design decisions of a rung.
struct Decisions {
  double bins = 1;             ///< width in cutoffs; 0: no bins, all pairs
  bool half = false;           ///< each pair once, added to both particles by atomics
  bool neighbours = false;     ///< the nine neighbours of a bin are read from a table
  bool cached = false;         ///< counting stores each particle's bin for the scatter
  bool slots = false;          ///< counting also stores its place in the bin, so the scatter needs no atomics
  bool library = false;        ///< CUB's prefix sum
  bool thread_a_cell = false;  ///< one thread per bin instead of one per particle
};

/// Particles keep their order; bins hold their indices.
std::unique_ptr<Work> make_bins(const Decisions& how, const Bodies& bodies, int device);

struct Particle {
  double x, y, vx, vy, ax, ay;
};

/// The square and its side × side bins.
struct Square {
  unsigned n;
  double size, bin_width;
  int side;
};

inline Square square_of(std::size_t n, double cutoffs) {
  const double size = RepulsiveBox::size(n);
  const int side = std::max(1, static_cast<int>(size / (cutoffs * RepulsiveBox::cutoff)));
  return {static_cast<unsigned>(n), size, size / side, side};
}

__device__ __forceinline__ int along(const Square& square, double x) {
  return min(static_cast<int>(x / square.bin_width), square.side - 1);
}
__device__ __forceinline__ int bin_of(const Square& square, double x, double y) {
  return along(square, y) * square.side + along(square, x);
}

/// Adds the acceleration due to a particle at (dx, dy); false if it is beyond the cutoff.
__device__ __forceinline__ bool repel(double dx, double dy, double2& a) {
  double r2 = dx * dx + dy * dy;
  if (r2 > RepulsiveBox::cutoff * RepulsiveBox::cutoff) return false;
  r2 = fmax(r2, RepulsiveBox::min_r * RepulsiveBox::min_r);
  const double r = sqrt(r2), c = (1 - RepulsiveBox::cutoff / r) / r2 / RepulsiveBox::mass;
  a.x += c * dx;
  a.y += c * dy;
  return true;
}

/// Kick, drift and reflections.
__device__ __forceinline__ void move(const Square& square, double2 a, double& x, double& y, double& vx, double& vy) {
  vx += a.x * RepulsiveBox::dt;
  vy += a.y * RepulsiveBox::dt;
  x += vx * RepulsiveBox::dt;
  y += vy * RepulsiveBox::dt;
  while (x < 0 || x > square.size) {
    x = x < 0 ? -x : 2 * square.size - x;
    vx = -vx;
  }
  while (y < 0 || y > square.size) {
    y = y < 0 ? -y : 2 * square.size - y;
    vy = -vy;
  }
}

/// Exclusive prefix sums of 1024 numbers per block, and the sum of each block.
static __global__ void __launch_bounds__(1024)
    scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, std::size_t n) {
  __shared__ unsigned partial[1024];
  const std::size_t k = blockIdx.x * std::size_t{1024} + threadIdx.x;
  const unsigned own = k < n ? in[k] : 0;
  partial[threadIdx.x] = own;
  __syncthreads();
  for (unsigned distance = 1; distance < 1024; distance *= 2) {
    const unsigned before = threadIdx.x >= distance ? partial[threadIdx.x - distance] : 0;
    __syncthreads();
    partial[threadIdx.x] += before;
    __syncthreads();
  }
  if (k < n) out[k] = partial[threadIdx.x] - own;
  if (threadIdx.x == 1023) sums[blockIdx.x] = partial[1023];
}

static __global__ void add_sums_kernel(unsigned* out, const unsigned* sums, std::size_t n) {
  const std::size_t k = blockIdx.x * std::size_t{1024} + threadIdx.x;
  if (k < n) out[k] += sums[blockIdx.x];
}

/// Exclusive prefix sums of n numbers: of blocks, then recursively of their sums. `sums`: room for n/512 + 4096
/// numbers.
inline void scan(const unsigned* in, unsigned* out, unsigned* sums, std::size_t n, CUstream_st* stream) {
  const std::size_t blocks = (n + 1023) / 1024;
  scan_kernel<<<static_cast<unsigned>(blocks), 1024, 0, stream>>>(in, out, sums, n);
  if (blocks == 1) return;
  unsigned* const offsets = sums + blocks;
  scan(sums, offsets, offsets + blocks, blocks, stream);
  add_sums_kernel<<<static_cast<unsigned>(blocks), 1024, 0, stream>>>(out, offsets, n);
}

}  // namespace orrery::sim::study
