// SPDX-License-Identifier: MIT
// Few sources: one thread per body and chunk with sources. The sources are in the order in which pair-once has all
// bodies (sim/solvers/direct/sources.hpp). Since bodies of weight 0 add nothing, the bits are the same.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned walk_block = 128;  ///< threads

/// Block (x, y): bodies of block x and part y of the band, a chunk with sources. A slot has the sums of all bodies.
template <class P, class Law, Outputs outputs, unsigned R>
__global__ void __launch_bounds__(walk_block)
    walk(ParticleView<typename P::Number> f, Slots<typename P::Number> slots, SourcesOnDevice sources) {
  wait_for_previous_kernel();
  let_next_kernel_start();
  using Real = typename P::Real;
  const std::size_t i = blockIdx.x * std::size_t{walk_block} + threadIdx.x;
  if (i >= f.n) return;
  const auto lane = static_cast<unsigned>(i % lanes);
  const Body<P, outputs> me = Body<P, outputs>::at(f, i);
  const std::uint32_t part = slots.band.first_part + blockIdx.y;
  const SourceList::Chunk chunk = sources.chunks[part];
  const std::size_t mine = i / f.order.chunk;
  FromOneChunk<P, outputs> all;
  const auto interact = [&](std::uint32_t j) {
    const Body<P, outputs> other = Body<P, outputs>::at(f, j);
    all.sum.add_to_i(pair_of<P, Law, outputs>(me, other, f), Real(other.w));
  };
  // The sources of a run from this lane on, then the others.
  const auto go_round = [&](const std::uint32_t* ids, const SourceList::Run& run, bool upwards) {
    for (int begun = 0; begun < 2; ++begun) {
      for (std::uint32_t k = run.begin; k < run.end; ++k) {
        const unsigned at = ids[k] % lanes;
        const bool is_behind = upwards ? at < lane : at > lane;
        if (is_behind == (begun == 1)) interact(ids[k]);
      }
    }
  };
  if (chunk.chunk < mine) {
    for (std::uint32_t r = chunk.first_tile; r < chunk.last_tile; ++r) {
      go_round(sources.by_tile, sources.tiles[r], false);
      all.end_tile();
    }
  } else {
    std::uint32_t span = 0;
    for (std::uint32_t r = chunk.first_group; r < chunk.last_group; ++r) {
      const SourceList::Run run = sources.groups[r];
      if constexpr (P::span != 0) {
        const auto now = static_cast<std::uint32_t>(run.first % f.order.chunk / P::span);
        if (now != span) all.end_span();
        span = now;
      }
      if (chunk.chunk > mine) {
        go_round(sources.by_group, run, true);
      } else {
        for (std::uint32_t k = run.begin; k < run.end; ++k) {
          if (sources.by_group[k] != i) interact(sources.by_group[k]);
        }
      }
    }
    if constexpr (P::span != 0) all.end_span();
  }
  typename P::Number* to = slots.of(0, part, outputs_per_body(outputs)) + i;
  all.store_to(to, slots.row, chunk.chunk < mine);
}

}  // namespace orrery::sim::cuda
