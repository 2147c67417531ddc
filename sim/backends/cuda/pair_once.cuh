// SPDX-License-Identifier: MIT
// Each pair once: a warp takes two chunks and rotates the bodies of one past those of the other.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/backends/cuda/precision.cuh"
#include "sim/pair_order.hpp"

namespace orrery::sim::cuda {

struct ChunkPair {
  std::size_t I, J;
};

/// All pairs I ≤ J of `chunks` chunks in a row, those of a chunk and itself first: the p-th is I, J = I + p / chunks
/// going round, in order. There are chunks · (chunks + 1) / 2.
__device__ __forceinline__ ChunkPair chunk_pair(unsigned p, std::size_t chunks) {
  const unsigned n = static_cast<unsigned>(chunks), I = p % n, J = (I + p / n) % n;
  return {min(I, J), max(I, J)};
}

/// The bodies i of a tile that one lane holds, l, l + 32, …, and what is done to them. Where sums are made in spans,
/// those over the spans that are done lie in shared memory: registers are what the rotation is short of.
template <class P, Wanted wanted, unsigned R>
class Held {
  using Real = typename P::Real;
  using Total = decltype(P::ChunkSum::value);

 public:
  static constexpr unsigned components = sums_of(wanted);
  using Done = Total[P::span == 0 ? 1 : R][components][lanes];

  Body<P, wanted> body[R];
  Sums<Real, wanted> sum[R];

  __device__ __forceinline__ Held(const Field<typename P::Number>& f, std::size_t first, unsigned lane, Done& done)
      : done_(done), lane_(lane) {
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      const std::size_t i = first + lanes * r;
      body[r] = Body<P, wanted>::at(f, i < f.n ? i : f.n - 1);
      if constexpr (P::span != 0) Sums<typename P::ChunkSum, wanted>().store(&done_[r][0][lane_], lanes);
    }
  }
  /// The end of a group of bodies j, the first behind it being `next` in a chunk that ends at `end`.
  __device__ __forceinline__ void end_group(std::size_t next, std::size_t end) {
    if constexpr (P::span != 0) {
      if (next % P::span != 0 && next < end) return;
#pragma unroll
      for (unsigned r = 0; r < R; ++r) {
        auto all = total(r);
        all.add(sum[r]);
        all.store(&done_[r][0][lane_], lanes);
        sum[r] = {};
      }
    }
  }
  __device__ __forceinline__ void store(const Field<typename P::Number>& f, std::size_t first,
                                        typename P::Number* row) const {
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      const std::size_t i = first + lanes * r;
      if (i < f.n) total(r).store(row + i, f.stride);
    }
  }

 private:
  [[nodiscard]] __device__ __forceinline__ auto total(unsigned r) const {
    if constexpr (P::span == 0) {
      return sum[r];
    } else {
      Sums<typename P::ChunkSum, wanted> all;
      all.load(&done_[r][0][lane_], lanes);
      return all;
    }
  }

  Done& done_;
  unsigned lane_;
};

/// A tile past one group of bodies j: at time t lane l meets j = l + t, and j's sums go from lane to lane with it.
template <class P, class Law, Wanted wanted, unsigned R, bool whole>
__device__ __forceinline__ void rotate(const Field<typename P::Number>& f, const Shelf<P, wanted, 2 * lanes>& group,
                                       unsigned bodies, unsigned lane, Held<P, wanted, R>& held,
                                       Sums<typename P::Real, wanted>& on_j) {
  using Real = typename P::Real;
#pragma unroll whole ? P::unroll : 1
  for (unsigned t = 0; t < lanes; ++t) {
    const Body<P, wanted> j = group[lane + t];
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      Pair<P, Law, wanted> pair(held.body[r], j, f);
      if constexpr (!whole) pair.mask((lane + t) % lanes < bodies);
      held.sum[r].add_to_i(pair, Real(j.w));
      on_j.add_to_j(pair, Real(held.body[r].w));
    }
    on_j.hand_on(lane + 1);
  }
}

/// A tile and a group of its own chunk, from one side: all lanes meet the same j.
template <class P, class Law, Wanted wanted, unsigned R>
__device__ __forceinline__ void meet(const Field<typename P::Number>& f, const Shelf<P, wanted, 2 * lanes>& group,
                                     std::size_t first_j, unsigned bodies, std::size_t first_i,
                                     Held<P, wanted, R>& held) {
#pragma unroll 1
  for (unsigned t = 0; t < bodies; ++t) {
    const Body<P, wanted> j = group[t];
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      Pair<P, Law, wanted> pair(held.body[r], j, f);
      pair.mask(first_j + t != first_i + lanes * r);
      held.sum[r].add_to_i(pair, typename P::Real(j.w));
    }
  }
}

/// A lane brings one body of a group to shared memory, where the group is written out twice, so that the rotation is a
/// walk along it.
template <class P, Wanted wanted>
__device__ __forceinline__ void bring(const Field<typename P::Number>& f, std::size_t first, unsigned lane,
                                      Shelf<P, wanted, 2 * lanes>& group) {
  const std::size_t j = first + lane;
  const Body<P, wanted> mine = Body<P, wanted>::at(f, j < f.n ? j : f.n - 1);
  __syncwarp();
  group.put(lane, mine);
  group.put(lane + lanes, mine);
  __syncwarp();
}

/// What a tile does to bodies j is added to what the tiles of its chunk before it did.
template <class Sums, class Number>
__device__ __forceinline__ void add_tile(const Sums& on_j, bool is_first, Number* to, std::size_t stride) {
  Sums by_tiles;
  if (!is_first) by_tiles.load(to, stride);
  by_tiles.add(on_j);
  by_tiles.store(to, stride);
}

/// partial[c][q][i] ← what chunk c does to body i. A block is one warp and takes one pair of chunks; with more warps in
/// a block the compiler could not know that all lanes go the same way, which costs registers and a tenth of the speed.
template <class P, class Law, Wanted wanted, unsigned R>
__global__ void __launch_bounds__(lanes) pair_once(Field<typename P::Number> f, typename P::Number* partial) {
  __shared__ Shelf<P, wanted, 2 * lanes> group;
  __shared__ typename Held<P, wanted, R>::Done done;
  wait_for_earlier();
  let_next_come();
  using TileSums = Sums<typename P::Real, wanted>;
  const unsigned lane = threadIdx.x;
  const auto [I, J] = chunk_pair(blockIdx.x, f.chunks());
  typename P::Number *by_I = partial + I * f.row(wanted), *by_J = partial + J * f.row(wanted);
  const std::size_t begin_i = I * f.order.chunk, end_i = min(begin_i + f.order.chunk, f.n);
  const std::size_t begin_j = J * f.order.chunk, end_j = min(begin_j + f.order.chunk, f.n), in_j = end_j - begin_j;
  for (std::size_t tile = begin_i; tile < end_i; tile += lanes * R) {
    Held<P, wanted, R> held(f, tile + lane, lane, done);
    std::size_t first = begin_j;
    if (I == J) {
      for (; first < end_j; first += lanes) {
        bring(f, first, lane, group);
        const auto bodies = static_cast<unsigned>(min(end_j - first, std::size_t{lanes}));
        meet<P, Law, wanted, R>(f, group, first, bodies, tile + lane, held);
        held.end_group(first + lanes - begin_j, in_j);
      }
    } else {
      for (; first + lanes <= end_j; first += lanes) {
        bring(f, first, lane, group);
        TileSums on_j;
        rotate<P, Law, wanted, R, true>(f, group, lanes, lane, held, on_j);
        add_tile(on_j, tile == begin_i, by_I + first + lane, f.stride);
        held.end_group(first + lanes - begin_j, in_j);
      }
      if (first < end_j) {  // the last group of all
        bring(f, first, lane, group);
        TileSums on_j;
        rotate<P, Law, wanted, R, false>(f, group, static_cast<unsigned>(end_j - first), lane, held, on_j);
        if (first + lane < end_j) add_tile(on_j, tile == begin_i, by_I + first + lane, f.stride);
        held.end_group(in_j, in_j);
      }
    }
    held.store(f, tile + lane, by_J);
  }
}

}  // namespace orrery::sim::cuda
