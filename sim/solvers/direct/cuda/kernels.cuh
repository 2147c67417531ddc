// SPDX-License-Identifier: MIT
// Kernel launches of the direct solver: partial sums for chunks of bodies, in the canonical order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/law_parameters.hpp"
#include "sim/pair_order.hpp"
#include "sim/precision.hpp"
#include "sim/solvers/direct/sources.hpp"

namespace orrery::sim::cuda {

/// pair_once: each pair once. From both sides: tiled, several warps per 32 bodies (float64 only); one_sided, one thread
/// per body; fused, one warp per body with the following update (floats only). walk: over a list of the sources.
enum class PairKernel { pair_once, tiled, one_sided, fused, walk };

/// Maximum number of bodies of a fused kernel: one lane for each chunk of 32.
inline constexpr std::size_t max_fused = 1024;

/// The order of pairs: R bodies i per lane, and the chunk size. As pair_order.hpp in float64; in floats larger ones as
/// soon as there are enough chunks to occupy the GPU.
struct Order {
  std::size_t per_lane, chunk;
};
constexpr Order order_of(bool single, std::size_t n) {
  if (!single) return {bodies_per_lane, chunk_size(n)};
  if (n <= 2048) return {1, 32};
  if (n <= 8192) return {2, 64};
  std::size_t chunk = 256;
  while (chunk * max_chunks < n) chunk *= 2;
  return {8, chunk};
}

/// A SourceList on the device.
struct SourcesOnDevice {
  const std::uint32_t *by_group, *by_tile;
  const SourceList::Run *groups, *tiles;
  const SourceList::Chunk* chunks;
};

/// Input of a pair loop. `rest`: low parts of positions, in mixed only. Velocities: for the jerk, in float64 only.
template <class Number>
struct ParticleView {
  const Number *x, *y, *z, *source, *rest_x, *rest_y, *rest_z;
  const double *vx, *vy, *vz;
  std::size_t n;
  Order order;
  Number softening2;
  LawParameters parameters;  ///< the law's parameters, in scaled lengths

  [[nodiscard]] ORRERY_DEVICE std::size_t chunks() const { return (n + order.chunk - 1) / order.chunk; }
};

/// A part of all pairs of chunks, and the layout of its sums: those of chunk c on chunk K are [outputs_per_body(outputs)][row]
/// numbers. The first `split` chunks K have `wide` parts c, the others `narrow` parts.
struct Band {
  std::uint32_t first, first_part;  ///< the first K and c
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

/// How pairs are summed, which does not affect the bits of the result.
struct Launch {
  PairKernel kernel = PairKernel::pair_once;
  std::uint32_t count = 0;              ///< number of pairs of chunks, of chunks, or of chunks with sources
  SourcesOnDevice sources = {};         ///< of walk
  const FusedUpdate* update = nullptr;  ///< of fused
};

/// Sums over pairs for law number `law` of sim/forces/list.hpp. Compiled in one file per precision, pairs_*.cu.
template <Precision precision>
void sum_pairs(const Launch& launch, std::size_t law, Outputs outputs,
               const ParticleView<typename PairNumbers<precision>::Number>& field,
               const Slots<typename PairNumbers<precision>::Number>& slots, StreamHandle stream);
/// The factor by which accelerations in mixed precision are too small (inverse_cube_unit).
double mixed_unit(std::size_t law);

/// total[q][i] ← total[q][i] (or 0 if the band's parts are the first) + Σ of the band's parts, for bodies of chunk
/// `band.first` and later chunks; total: [sums][stride].
template <class Number>
void gather(const Slots<Number>& slots, std::size_t sums, std::size_t n, double* total, std::size_t stride,
            StreamHandle stream);

}  // namespace orrery::sim::cuda
