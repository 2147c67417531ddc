// SPDX-License-Identifier: MIT
// Each pair once: a warp takes two chunks and rotates the bodies of one past those of the other one.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

struct ChunkPair {
  std::size_t I, J;
};

/// Returns pair p of all pairs I ≤ J of a band: its rows I with the chunks after them, then the rows among themselves,
/// beginning with I = J: the q-th of these is I = q mod rows, J = I + q / rows cyclically, sorted.
__device__ __forceinline__ ChunkPair chunk_pair(unsigned p, const Band& band) {
  const unsigned rows = band.split, behind = band.wide - rows, outside = rows * behind;
  if (p < outside) return {band.first + p % rows, band.first + rows + p / rows};
  const unsigned q = p - outside, I = q % rows, J = (I + q / rows) % rows;
  return {band.first + min(I, J), band.first + max(I, J)};
}

/// The bodies i = l, l + 32, … of a tile in the registers of lane l, and their sums. If sums are made in spans, the
/// totals over finished spans are in shared memory, since the rotation is short of registers.
template <class P, Outputs outputs, unsigned R>
class RegisterTile {
  using Real = typename P::Real;
  using Total = decltype(P::ChunkSum::value);

 public:
  static constexpr unsigned components = outputs_per_body(outputs);
  using Done = Total[P::span == 0 ? 1 : R][components][lanes];

  Body<P, outputs> body[R];
  Sums<Real, outputs> sum[R];

  __device__ __forceinline__ RegisterTile(const ParticleView<typename P::Number>& f, std::size_t first, unsigned lane,
                                          Done& done)
      : done_(done), lane_(lane) {
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      const std::size_t i = first + lanes * r;
      body[r] = Body<P, outputs>::at(f, i < f.n ? i : f.n - 1);
      if constexpr (P::span != 0) cuda::store(Sums<typename P::ChunkSum, outputs>(), &done_[r][0][lane_], lanes);
    }
  }
  /// Ends a group of bodies j, after which `next` follows in a chunk that ends at `end`.
  __device__ __forceinline__ void end_group(std::size_t next, std::size_t end) {
    if constexpr (P::span != 0) {
      if (next % P::span != 0 && next < end) return;
#pragma unroll
      for (unsigned r = 0; r < R; ++r) {
        auto all = total(r);
        add(all, sum[r]);
        cuda::store(all, &done_[r][0][lane_], lanes);
        sum[r] = {};
      }
    }
  }
  /// `to`: destination of this lane's first body; `left`: number of bodies from it on.
  __device__ __forceinline__ void store(typename P::Number* to, std::size_t stride, std::size_t left) const {
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      if (lanes * r < left) cuda::store(total(r), to + lanes * r, stride);
    }
  }
  /// Returns whether all bodies of the tile are sources.
  [[nodiscard]] __device__ __forceinline__ bool all_sources() const {
    bool mine = true;
#pragma unroll
    for (unsigned r = 0; r < R; ++r) mine = mine && body[r].w != 0;
    return __all_sync(~0U, mine);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ auto total(unsigned r) const {
    if constexpr (P::span == 0) {
      return sum[r];
    } else {
      Sums<typename P::ChunkSum, outputs> all;
      load(all, &done_[r][0][lane_], lanes);
      return all;
    }
  }

  Done& done_;
  unsigned lane_;
};

/// Rotates a group of bodies j past a tile: at time t lane l has j = l + t, whose sums move from lane to lane with it.
/// `whole`: there are 32 bodies j and all bodies are sources.
template <class P, class Law, Outputs outputs, unsigned R, bool whole>
__device__ __forceinline__ void rotate(const ParticleView<typename P::Number>& f,
                                       const SharedTile<P, outputs, 2 * lanes>& group, unsigned bodies, unsigned lane,
                                       RegisterTile<P, outputs, R>& held, Sums<typename P::Real, outputs>& on_j) {
  using Real = typename P::Real;
  const Law law(f.parameters);
  Real softening2(f.softening2);
  if constexpr (P::floats) asm volatile("" : "+f"(softening2.value));  // keeps it in a register: 5 % of mixed
  constexpr int unroll = whole ? P::template unroll<outputs> : 1;
#pragma unroll unroll
  for (unsigned t = 0; t < lanes; ++t) {
    const Body<P, outputs> j = group[lane + t];
    const bool is_body = whole || (lane + t) % lanes < bodies;
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      const auto pair = pair_of<P, Law, outputs>(held.body[r], j, law, softening2);
      const auto by = [&](typename P::Number weight) {
        auto counted = pair;
        if constexpr (!whole) counted.mask([&](Real value) { return select(is_body && weight != 0, value); });
        return counted;
      };
      held.sum[r].add_to_i(by(j.w), Real(j.w));
      on_j.add_to_j(by(held.body[r].w), Real(held.body[r].w));
    }
    shuffle(on_j, lane + 1);
  }
}

/// A tile and a group of its own chunk, from one side: all lanes have the same j.
template <class P, class Law, Outputs outputs, unsigned R>
__device__ __forceinline__ void interact(const ParticleView<typename P::Number>& f,
                                         const SharedTile<P, outputs, 2 * lanes>& group, std::size_t first_j,
                                         unsigned bodies, std::size_t first_i, RegisterTile<P, outputs, R>& held) {
  using Real = typename P::Real;
#pragma unroll 1
  for (unsigned t = 0; t < bodies; ++t) {
    const Body<P, outputs> j = group[t];
    if (j.w == 0) continue;
#pragma unroll
    for (unsigned r = 0; r < R; ++r) {
      auto pair = pair_of<P, Law, outputs>(held.body[r], j, f);
      pair.mask([&](Real value) { return select(first_j + t != first_i + lanes * r, value); });
      held.sum[r].add_to_i(pair, Real(j.w));
    }
  }
}

/// Each lane loads one body of a group to shared memory, where the group is stored twice, so that the rotation reads
/// consecutively. Returns whether the lane's body is a source.
template <class P, Outputs outputs>
__device__ __forceinline__ bool load(const ParticleView<typename P::Number>& f, std::size_t first, unsigned lane,
                                     SharedTile<P, outputs, 2 * lanes>& group) {
  const std::size_t j = first + lane;
  const Body<P, outputs> mine = Body<P, outputs>::at(f, j < f.n ? j : f.n - 1);
  __syncwarp();
  group.put(lane, mine);
  group.put(lane + lanes, mine);
  __syncwarp();
  return mine.w != 0;
}

/// Adds a tile's sums on bodies j to those of the previous tiles of its chunk.
template <class Sums, class Number>
__device__ __forceinline__ void add_tile(const Sums& on_j, bool is_first, Number* to, std::size_t stride) {
  Sums by_tiles;
  if (!is_first) load(by_tiles, to, stride);
  add(by_tiles, on_j);
  store(by_tiles, to, stride);
}

/// Minimum warps per multiprocessor; 0: not specified. Otherwise the compiler saves registers in float64, and a warp
/// that has a scheduler to itself, as with 4096 bodies, would finish one pair before it begins another one.
template <class P, Outputs outputs>
inline constexpr unsigned warps_at_once = !P::floats && outputs == Outputs::forces ? 1 : 0;

/// The pairs of chunks of a band, one per block. A block is one warp: with more warps the compiler could not know that
/// control flow is uniform, which costs registers and a tenth of the speed.
template <class P, class Law, Outputs outputs, unsigned R>
__global__ void __launch_bounds__(lanes, warps_at_once<P, outputs>)
    pair_once(ParticleView<typename P::Number> f, Slots<typename P::Number> slots) {
  __shared__ SharedTile<P, outputs, 2 * lanes> group;
  __shared__ typename RegisterTile<P, outputs, R>::Done done;
  wait_for_previous_kernel();
  let_next_kernel_start();
  using TileSums = Sums<typename P::Real, outputs>;
  const unsigned lane = threadIdx.x;
  const auto [I, J] = chunk_pair(blockIdx.x, slots.band);
  typename P::Number *on_J = slots.of(J, I, outputs_per_body(outputs)) + lane,
                     *on_I = slots.of(I, J, outputs_per_body(outputs)) + lane;
  const std::size_t begin_i = I * f.order.chunk, end_i = min(begin_i + f.order.chunk, f.n);
  const std::size_t begin_j = J * f.order.chunk, end_j = min(begin_j + f.order.chunk, f.n), in_j = end_j - begin_j;
  for (std::size_t tile = begin_i; tile < end_i; tile += lanes * R) {
    RegisterTile<P, outputs, R> held(f, tile + lane, lane, done);
    const bool sources = held.all_sources();
    if (I == J) {
      for (std::size_t first = begin_j; first < end_j; first += lanes) {
        load(f, first, lane, group);
        const auto bodies = static_cast<unsigned>(min(end_j - first, std::size_t{lanes}));
        interact<P, Law, outputs, R>(f, group, first, bodies, tile + lane, held);
        held.end_group(first + lanes - begin_j, in_j);
      }
    } else {
      for (std::size_t first = begin_j; first < end_j; first += lanes) {
        const bool mine = load(f, first, lane, group);
        const auto bodies = static_cast<unsigned>(min(end_j - first, std::size_t{lanes}));
        TileSums on_j;
        if (bodies == lanes && sources && __all_sync(~0U, mine)) {
          rotate<P, Law, outputs, R, true>(f, group, lanes, lane, held, on_j);
        } else {
          rotate<P, Law, outputs, R, false>(f, group, bodies, lane, held, on_j);
        }
        if (lane < bodies) add_tile(on_j, tile == begin_i, on_J + (first - begin_j), slots.row);
        held.end_group(first + lanes - begin_j, in_j);
      }
    }
    if (tile + lane < f.n) held.store(on_I + (tile - begin_i), slots.row, f.n - (tile + lane));
  }
}

}  // namespace orrery::sim::cuda
