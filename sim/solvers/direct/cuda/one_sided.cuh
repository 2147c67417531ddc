// SPDX-License-Identifier: MIT
// Each pair from both sides: one thread per body and chunk, for a few thousand bodies.
//
// Every operation of a pair is odd or even in the difference of positions, so it gives the same bits from both sides.
// Only the order of summation is not symmetric; each thread follows that of pair-once, so sums have the same bits.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

/// A tile of bodies in shared memory, loaded by the whole block.
template <class P, Outputs outputs, unsigned size>
struct Tiled {
  const ParticleView<typename P::Number>& field;
  SharedTile<P, outputs, size>& tile;
  __device__ __forceinline__ void load(std::size_t from, unsigned bodies) {
    __syncthreads();
    for (unsigned k = threadIdx.x; k < bodies; k += blockDim.x) tile.put(k, Body<P, outputs>::at(field, from + k));
    __syncthreads();
  }
  __device__ __forceinline__ Body<P, outputs> operator[](unsigned k) const { return tile[k]; }
};

/// Sums over chunk c for body i, tile by tile; all bodies are sources. The threads of a warp are in one chunk, so they
/// do not diverge; threads beyond the last body help to load tiles.
template <class P, class Law, Outputs outputs, unsigned R, int unroll, class Others>
__device__ void sum_chunk(const ParticleView<typename P::Number>& f, Others others, std::size_t i, std::size_t c,
                          const Slots<typename P::Number>& slots) {
  wait_for_previous_kernel();
  let_next_kernel_start();
  using Real = typename P::Real;
  const std::size_t mine = i / f.order.chunk, begin = c * f.order.chunk, end = min(begin + f.order.chunk, f.n);
  const bool is_body = i < f.n;
  const Body<P, outputs> me = Body<P, outputs>::at(f, is_body ? i : f.n - 1);
  const auto lane = static_cast<unsigned>(i % lanes);
  FromOneChunk<P, outputs> all;
  const auto interact = [&](unsigned k) {
    const Body<P, outputs> other = others[k];
    all.sum.add_to_i(pair_of<P, Law, outputs>(me, other, f), Real(other.w));
  };
  const auto end_span = [&](std::size_t next) {
    if constexpr (P::span != 0) {
      if (next % P::span == 0 || begin + next >= end) all.end_span();
    }
  };
  for (std::size_t tile = begin; tile < end; tile += lanes * R) {
    const auto bodies = static_cast<unsigned>(min(end - tile, std::size_t{lanes * R}));
    others.load(tile, bodies);
    if (!is_body) continue;
    if (c <
        mine) {  // this body rotates through the lanes of the tile; its sum over the tile is added to that over the chunk
#pragma unroll unroll
      for (unsigned k = 0; k < lanes * R; ++k) interact(lanes * (k % R) + (lane - k / R) % lanes);
      all.end_tile();
      continue;
    }
    for (unsigned group = 0; group < bodies; group += lanes) {
      if (c == mine) {  // in ascending order, without this body
        const unsigned last = min(bodies, group + lanes);
#pragma unroll unroll
        for (unsigned j = group; j < last; ++j) {
          if (tile + j != i) interact(j);
        }
      } else if (bodies - group >= lanes) {  // groups of 32 rotate past this body
#pragma unroll unroll
        for (unsigned t = 0; t < lanes; ++t) interact(group + (lane + t) % lanes);
      } else {  // the last group may be smaller
#pragma unroll 1
        for (unsigned t = 0; t < lanes; ++t) {
          const unsigned j = group + (lane + t) % lanes;
          if (j < bodies) interact(j);
        }
      }
      end_span(tile - begin + group + lanes);
    }
  }
  if (!is_body) return;
  typename P::Number* to = slots.of(mine, c, outputs_per_body(outputs)) + i % f.order.chunk;
  all.store_to(to, slots.row, c < mine);
}

inline constexpr unsigned one_sided_block = 128;  ///< threads

/// Block (x, y): bodies of block x and part y of the band.
template <class P, class Law, Outputs outputs, unsigned R>
__global__ void __launch_bounds__(one_sided_block)
    one_sided(ParticleView<typename P::Number> field, Slots<typename P::Number> slots) {
  __shared__ SharedTile<P, outputs, lanes * R> tile;
  sum_chunk<P, Law, outputs, R, 4>(field, Tiled<P, outputs, lanes * R>{field, tile},
                                   blockIdx.x * std::size_t{one_sided_block} + threadIdx.x,
                                   slots.band.first_part + blockIdx.y, slots);
}

}  // namespace orrery::sim::cuda
