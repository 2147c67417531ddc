// SPDX-License-Identifier: MIT
// What a device can be asked of pairs: partial sums for chunks of bodies, in the canonical order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/law_numbers.hpp"
#include "sim/pair_order.hpp"
#include "sim/precision.hpp"
#include "sim/solvers/direct/sources.hpp"

namespace orrery::sim::cuda {

/// Each pair once; from both sides, by several warps for 32 bodies (float64 alone), by one thread a body, or by a warp a body
/// together with the update that follows (floats alone); or with the sources alone.
enum class PairKernel { pair_once, tiled, one_sided, fused, walk };

/// Bodies that go into a fused kernel: a lane for each of their chunks.
inline constexpr std::size_t most_fused = 1024;

/// The order of pairs: R bodies i in a lane, and chunks. What pair_order.hpp says for float64; in floats, larger ones
/// as soon as there are enough of them to go round.
struct Order {
  std::size_t per_lane, chunk;
};
constexpr Order order_of(bool single, std::size_t n) {
  if (!single) return {bodies_per_lane, chunk_size(n)};
  if (n <= 2048) return {1, 32};
  if (n <= 8192) return {2, 64};
  std::size_t chunk = 256;
  while (chunk * most_chunks < n) chunk *= 2;
  return {8, chunk};
}

/// A SourceList on the device.
struct SourcesOnDevice {
  const std::uint32_t *by_group, *by_tile;
  const SourceList::Run *groups, *tiles;
  const SourceList::Chunk* chunks;
};

/// The bodies as a pair loop sees them. `rest` is what a float leaves of a position; mixed precision alone has it.
/// Velocities count for a jerk, which float64 alone has.
template <class Number>
struct ParticleView {
  const Number *x, *y, *z, *source, *rest_x, *rest_y, *rest_z;
  const double *vx, *vy, *vz;
  std::size_t n;
  Order order;
  Number softening2;
  LawNumbers numbers;  ///< the law's own, in the lengths that it sees

  [[nodiscard]] ORRERY_DEVICE std::size_t chunks() const { return (n + order.chunk - 1) / order.chunk; }
};

/// A part of all pairs of chunks, and where its sums go: what chunk c does to chunk K is [sums_of(wanted)][row] numbers. The
/// first `split` chunks K have `wide` parts c, the others `narrow` ones.
struct Band {
  std::uint32_t first, first_part;  ///< K and c count from these
  std::uint32_t split, wide, narrow;

  [[nodiscard]] ORRERY_DEVICE std::size_t slot(std::size_t K, std::size_t c) const {
    const std::size_t k = K - first, part = c - first_part;
    return k < split ? k * wide + part : std::size_t{split} * wide + (k - split) * narrow + part;
  }
};
template <class Number>
struct Slots {
  Number* values;
  Band band;
  std::size_t row;  ///< bodies in a chunk

  [[nodiscard]] ORRERY_DEVICE Number* of(std::size_t K, std::size_t c, std::size_t sums) const {
    return values + band.slot(K, c) * sums * row;
  }
};

/// What is started. No bit depends on how.
struct Launch {
  PairKernel kernel = PairKernel::pair_once;
  std::uint32_t count = 0;              ///< of the pairs of chunks, the chunks or the chunks with sources
  SourcesOnDevice sources = {};         ///< of a walk
  const FusedUpdate* update = nullptr;  ///< of a fused kernel
};

/// Sums of pairs in one precision, for the laws of sim/forces/list.hpp. One function each, in a file of its own: pairs_*.cu.
template <class Number>
using SumPairs = void (*)(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<Number>& field,
                          const Slots<Number>& slots, StreamHandle stream);
void sum_pairs_float64(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<double>& field,
                       const Slots<double>& slots, StreamHandle stream);
void sum_pairs_mixed(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<float>& field,
                     const Slots<float>& slots, StreamHandle stream);
void sum_pairs_float32(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<float>& field,
                       const Slots<float>& slots, StreamHandle stream);
void sum_pairs_float32_exact(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<float>& field,
                             const Slots<float>& slots, StreamHandle stream);
/// By how much accelerations of mixed precision are too small (inverse_cube_unit).
double mixed_unit(std::size_t law);

/// total[q][i] ← total[q][i] (or 0 where the band's parts are the first ones) + Σ of the band's parts, for bodies of chunks
/// `band.first` and behind; [sums][stride].
void gather(const Slots<double>& slots, std::size_t sums, std::size_t n, double* total, std::size_t stride,
            StreamHandle stream);
void gather(const Slots<float>& slots, std::size_t sums, std::size_t n, double* total, std::size_t stride,
            StreamHandle stream);

}  // namespace orrery::sim::cuda
