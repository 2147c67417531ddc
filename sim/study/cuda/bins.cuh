// SPDX-License-Identifier: MIT
// Bins on a GPU: counting, scanning, and the force of a pair.
#pragma once

#include "sim/study/cuda/steps.cuh"
#include "sim/study/short_range.hpp"

namespace orrery::sim::study {

/// What a rung decides.
struct Decisions {
  double bins = 1;             ///< width in cutoffs; 0: none, all pairs
  bool half = false;           ///< each pair once, added to both by atomics
  bool neighbours = false;     ///< the nine neighbours of a bin come from a table
  bool cached = false;         ///< counting leaves a particle's bin for the scatter
  bool slots = false;          ///< and its place in the bin, so that the scatter counts nothing
  bool library = false;        ///< CUB's scan
  bool thread_a_cell = false;  ///< a thread goes through the particles of a bin
};

/// Particles stay where they are, and bins hold their numbers.
std::unique_ptr<Work> make_bins(const Decisions& how, const Bodies& bodies, int device);

/// As a first program has it.
struct Particle {
  double x, y, vx, vy, ax, ay;
};

/// The square and its bins, `side` by `side` of them.
struct Square {
  unsigned n;
  double size, bin_width;
  int side;
};

inline Square square_of(std::size_t n, double cutoffs) {
  const double size = Course::size(n);
  const int side = std::max(1, static_cast<int>(size / (cutoffs * Course::cutoff)));
  return {static_cast<unsigned>(n), size, size / side, side};
}

__device__ __forceinline__ int along(const Square& square, double x) {
  return min(static_cast<int>(x / square.bin_width), square.side - 1);
}
__device__ __forceinline__ int bin_of(const Square& square, double x, double y) {
  return along(square, y) * square.side + along(square, x);
}

/// a += what the other does; false where it is too far.
__device__ __forceinline__ bool repel(double dx, double dy, double2& a) {
  double r2 = dx * dx + dy * dy;
  if (r2 > Course::cutoff * Course::cutoff) return false;
  r2 = fmax(r2, Course::least_r * Course::least_r);
  const double r = sqrt(r2), c = (1 - Course::cutoff / r) / r2 / Course::mass;
  a.x += c * dx;
  a.y += c * dy;
  return true;
}

/// A kick, a drift, and reflections.
__device__ __forceinline__ void move(const Square& square, double2 a, double& x, double& y, double& vx, double& vy) {
  vx += a.x * Course::dt;
  vy += a.y * Course::dt;
  x += vx * Course::dt;
  y += vy * Course::dt;
  while (x < 0 || x > square.size) {
    x = x < 0 ? -x : 2 * square.size - x;
    vx = -vx;
  }
  while (y < 0 || y > square.size) {
    y = y < 0 ? -y : 2 * square.size - y;
    vy = -vy;
  }
}

/// Exclusive sums of 1024 numbers a block, and the sum of each block.
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

/// Exclusive sums of n numbers: blocks, then the sums of blocks in the same way. `sums`: room for n/512 + 4096 numbers.
inline void scan(const unsigned* in, unsigned* out, unsigned* sums, std::size_t n, CUstream_st* stream) {
  const std::size_t blocks = (n + 1023) / 1024;
  scan_kernel<<<static_cast<unsigned>(blocks), 1024, 0, stream>>>(in, out, sums, n);
  if (blocks == 1) return;
  unsigned* const offsets = sums + blocks;
  scan(sums, offsets, offsets + blocks, blocks, stream);
  add_sums_kernel<<<static_cast<unsigned>(blocks), 1024, 0, stream>>>(out, offsets, n);
}

}  // namespace orrery::sim::study
