// SPDX-License-Identifier: MIT
// Bands: the pairs of chunks a part at a time, so that their partial sums stay within 2 KiB a body.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/solvers/direct/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// A part of the work and how many pairs of chunks, or chunks, it has.
struct Share {
  Band band;
  std::uint32_t count;
};

/// The bands for so many chunks and so many bytes of sums of a pair of chunks on one body; one where all of them fit. Bands of
/// each pair once are rows of chunks I ≤ J with about equal work: their slots are in proportion to it.
struct Bands {
  std::vector<Share> shares;
  std::size_t slots;  ///< of the greatest

  /// Two bands are worked on at a time where there are several.
  [[nodiscard]] std::size_t buffers() const { return shares.size() > 1 ? 2 : 1; }
};
Bands bands_of(PairKernel kernel, std::size_t chunks, std::size_t bytes);

}  // namespace orrery::sim::cuda
