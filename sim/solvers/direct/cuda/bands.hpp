// SPDX-License-Identifier: MIT
// Bands: parts of all pairs of chunks, so that their partial sums stay within 2 KiB per body.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/solvers/direct/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// A band, and its number of pairs of chunks or of chunks.
struct Share {
  Band band;
  std::uint32_t count;
};

struct Bands {
  std::vector<Share> shares;
  std::size_t slots;  ///< maximum of all bands

  /// Two bands are processed at a time, if there are several.
  [[nodiscard]] std::size_t buffers() const { return shares.size() > 1 ? 2 : 1; }
};
/// Returns the bands for `chunks` chunks and `bytes` bytes of sums per body and pair of chunks; a single one if all
/// fit. Bands of pair_once are rows of chunks I ≤ J with about equal work, to which their slots are proportional.
Bands bands_of(PairKernel kernel, std::size_t chunks, std::size_t bytes);

}  // namespace orrery::sim::cuda
