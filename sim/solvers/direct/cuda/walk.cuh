// SPDX-License-Identifier: MIT
// Few sources, which each body meets: one thread a body and chunk with sources.
//
// A body meets them in the order in which it would meet all bodies (sim/solvers/direct/sources.hpp), so that the bits are those
// of pair-once: a body of weight 0 adds nothing to a sum.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned walk_block = 128;  ///< threads

/// Chunk `first` + blockIdx.y of those that have sources; its sums are one slot over all bodies.
template <class P, class Law, Wanted wanted, unsigned R>
__global__ void __launch_bounds__(walk_block)
    walk(Field<typename P::Number> f, Slots<typename P::Number> slots, SourcesOnDevice sources, unsigned first) {
  wait_for_earlier();
  let_next_come();
  using Real = typename P::Real;
  const std::size_t i = blockIdx.x * std::size_t{walk_block} + threadIdx.x;
  if (i >= f.n) return;
  const auto lane = static_cast<unsigned>(i % lanes);
  const Body<P, wanted> me = Body<P, wanted>::at(f, i);
  const SourcesOnDevice::Chunk chunk = sources.chunks[first + blockIdx.y];
  const std::size_t mine = i / f.order.chunk;
  Sums<Real, wanted> sum;                       // since the last tile or span
  Sums<Real, wanted> by_tiles;                  // of a chunk before mine
  Sums<typename P::ChunkSum, wanted> by_spans;  // of mine and of those behind it
  const auto meet = [&](std::uint32_t j) {
    const Body<P, wanted> other = Body<P, wanted>::at(f, j);
    sum.add_to_i(pair_of<P, Law, wanted>(me, other, f), Real(other.w));
  };
  /// The sources of a run from my lane on, then the others.
  const auto go_round = [&](const std::uint32_t* ids, const SourcesOnDevice::Run& run, bool upwards) {
    for (int begun = 0; begun < 2; ++begun) {
      for (std::uint32_t k = run.begin; k < run.end; ++k) {
        const unsigned at = ids[k] % lanes;
        const bool is_behind = upwards ? at < lane : at > lane;
        if (is_behind == (begun == 1)) meet(ids[k]);
      }
    }
  };
  if (chunk.chunk < mine) {
    for (std::uint32_t r = chunk.first_tile; r < chunk.last_tile; ++r) {
      go_round(sources.by_tile, sources.tiles[r], false);
      add(by_tiles, sum);
      sum = {};
    }
  } else {
    std::uint32_t span = 0;
    const auto end_span = [&] {
      add(by_spans, sum);
      sum = {};
    };
    for (std::uint32_t r = chunk.first_group; r < chunk.last_group; ++r) {
      const SourcesOnDevice::Run run = sources.groups[r];
      if constexpr (P::span != 0) {
        const auto now = static_cast<std::uint32_t>(run.first % f.order.chunk / P::span);
        if (now != span) end_span();
        span = now;
      }
      if (chunk.chunk > mine) {
        go_round(sources.by_group, run, true);
      } else {
        for (std::uint32_t k = run.begin; k < run.end; ++k) {
          if (sources.by_group[k] != i) meet(sources.by_group[k]);
        }
      }
    }
    if constexpr (P::span != 0) end_span();
  }
  typename P::Number* to = slots.of(0, first + blockIdx.y, sums_of(wanted)) + i;
  if (chunk.chunk < mine) {
    store(by_tiles, to, slots.row);
  } else if constexpr (P::span == 0) {
    store(sum, to, slots.row);
  } else {
    store(by_spans, to, slots.row);
  }
}

}  // namespace orrery::sim::cuda
