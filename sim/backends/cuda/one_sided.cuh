// SPDX-License-Identifier: MIT
// Each pair from both sides, for comparison and for few bodies: one thread a body and chunk.
//
// j's share of a pair is what i would have been given, with i and j exchanged: every operation is odd or even in the
// difference of positions. Only the order in which a body meets the others is not symmetric, and each thread follows
// its own side of it, so that the bits are those of pair-once.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/backends/cuda/precision.cuh"
#include "sim/pair_order.hpp"

namespace orrery::sim::cuda {

/// Bodies from global memory.
template <class P, Wanted wanted>
struct Direct {
  const Field<typename P::Number>& field;
  std::size_t begin;
  __device__ __forceinline__ void bring(std::size_t from, unsigned) { begin = from; }
  __device__ __forceinline__ Body<P, wanted> operator[](unsigned k) const {
    return Body<P, wanted>::at(field, begin + k);
  }
};

/// Bodies from a tile in shared memory that the whole block brings.
template <class P, Wanted wanted, unsigned size>
struct Tiled {
  const Field<typename P::Number>& field;
  Shelf<P, wanted, size>& tile;
  __device__ __forceinline__ void bring(std::size_t from, unsigned bodies) {
    __syncthreads();
    for (unsigned k = threadIdx.x; k < bodies; k += blockDim.x) tile.put(k, Body<P, wanted>::at(field, from + k));
    __syncthreads();
  }
  __device__ __forceinline__ Body<P, wanted> operator[](unsigned k) const { return tile[k]; }
};

/// What chunk blockIdx.y does to body i, from a tile at a time. The threads of a warp are in one chunk,
/// so that they go the same way; those beyond the last body help to bring tiles.
template <class P, class Law, Wanted wanted, unsigned R, int unroll, class Others>
__device__ void sum_chunk(const Field<typename P::Number>& f, Others others, std::size_t i,
                          typename P::Number* partial) {
  wait_for_earlier();
  let_next_come();
  using Real = typename P::Real;
  const std::size_t mine = i / f.order.chunk, c = blockIdx.y, begin = c * f.order.chunk,
                    end = min(begin + f.order.chunk, f.n);
  const bool is_body = i < f.n;
  const Body<P, wanted> me = Body<P, wanted>::at(f, is_body ? i : f.n - 1);
  const auto lane = static_cast<unsigned>(i % lanes);
  const auto meet = [&](Sums<Real, wanted>& sum, unsigned k) {
    const Body<P, wanted> other = others[k];
    sum.add_to_i(Pair<P, Law, wanted>(me, other, f), Real(other.w));
  };
  Sums<Real, wanted> sum;                       // since the last tile or span
  Sums<Real, wanted> by_tiles;                  // of a chunk before mine
  Sums<typename P::ChunkSum, wanted> by_spans;  // of mine and of those behind it
  const auto end_span = [&](std::size_t next) {
    if (P::span == 0 || (next % P::span != 0 && begin + next < end)) return;
    by_spans.add(sum);
    sum = {};
  };
  for (std::size_t tile = begin; tile < end; tile += lanes * R) {
    const auto bodies = static_cast<unsigned>(min(end - tile, std::size_t{lanes * R}));
    others.bring(tile, bodies);
    if (!is_body) continue;
    if (c < mine) {  // I travel through the lanes of the tile, and my sum over it is added to that over the chunk
#pragma unroll unroll
      for (unsigned k = 0; k < lanes * R; ++k) meet(sum, lanes * (k % R) + (lane - k / R) % lanes);
      by_tiles.add(sum);
      sum = {};
      continue;
    }
    for (unsigned group = 0; group < bodies; group += lanes) {
      if (c == mine) {  // one after the other, but myself
        const unsigned last = min(bodies, group + lanes);
#pragma unroll unroll
        for (unsigned j = group; j < last; ++j) {
          if (tile + j != i) meet(sum, j);
        }
      } else if (bodies - group >= lanes) {  // groups of 32 travel past me
#pragma unroll unroll
        for (unsigned t = 0; t < lanes; ++t) meet(sum, group + (lane + t) % lanes);
      } else {  // the last of all may have fewer
#pragma unroll 1
        for (unsigned t = 0; t < lanes; ++t) {
          const unsigned j = group + (lane + t) % lanes;
          if (j < bodies) meet(sum, j);
        }
      }
      end_span(tile - begin + group + lanes);
    }
  }
  if (!is_body) return;
  typename P::Number* to = partial + c * f.row(wanted) + i;
  if (c < mine) {
    by_tiles.store(to, f.stride);
  } else if constexpr (P::span == 0) {
    sum.store(to, f.stride);
  } else {
    by_spans.store(to, f.stride);
  }
}

template <class P, class Law, Wanted wanted, unsigned R, int unroll>
__global__ void __launch_bounds__(most_threads) tiled(Field<typename P::Number> field, typename P::Number* partial) {
  __shared__ Shelf<P, wanted, lanes * R> tile;
  sum_chunk<P, Law, wanted, R, unroll>(field, Tiled<P, wanted, lanes * R>{field, tile},
                                       blockIdx.x * std::size_t{blockDim.x} + threadIdx.x, partial);
}

template <class P, class Law, Wanted wanted, unsigned R, int unroll>
__global__ void __launch_bounds__(most_threads) direct(Field<typename P::Number> field, typename P::Number* partial) {
  sum_chunk<P, Law, wanted, R, unroll>(field, Direct<P, wanted>{field, 0},
                                       blockIdx.x * std::size_t{blockDim.x} + threadIdx.x, partial);
}

}  // namespace orrery::sim::cuda
