// SPDX-License-Identifier: MIT
// Bands: parts of all pairs of chunks, so that their partial sums stay within 2 KiB per body.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/solvers/direct/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// A band, its number of pairs of chunks or of chunks, and its number of slots.
struct Share {
  Band band;
  std::uint32_t count;
  std::size_t slots;
};

struct Bands {
  std::vector<Share> shares;
  std::size_t slots;  ///< maximum of all bands

  /// Two bands are processed at a time, if there are several.
  [[nodiscard]] std::size_t buffers() const { return shares.size() > 1 ? 2 : 1; }
};

/// Returns the slots of some rows whose first one has `left` chunks.
constexpr std::size_t slots_of_rows(std::size_t rows, std::size_t left) {
  return rows * left + (left - rows) * rows;
}

/// Returns the bands of pair_once for rows `first` … `last` − 1 of `count` chunks, each with at most `room` slots if it has several
/// rows.
inline Bands bands_of_rows(std::uint32_t first, std::uint32_t last, std::uint32_t count, std::size_t room) {
  Bands bands{};
  while (first < last) {
    const std::uint32_t left = count - first;
    std::uint32_t rows = 1;
    while (first + rows < last && slots_of_rows(rows + 1, left) <= room) ++rows;
    const std::size_t slots = slots_of_rows(rows, left);
    bands.shares.push_back({{first, first, rows, left, rows}, rows * (left - rows) + rows * (rows + 1) / 2, slots});
    bands.slots = std::max(bands.slots, slots);
    first += rows;
  }
  return bands;
}

/// Maximum of the sums of a body in bytes, including its total.
inline constexpr std::size_t max_bytes_of_sums = 2048;

/// Returns the slots of one of two buffers; the total takes up to 6 doubles.
constexpr std::size_t room_of_buffer(std::size_t chunks, std::size_t bytes) {
  return (max_bytes_of_sums - 6 * sizeof(double)) / 2 / bytes * chunks;
}

/// Returns the bands for `chunks` chunks and `bytes` bytes of sums per body and pair of chunks; a single one if all
/// fit. Bands of pair_once are rows of chunks I ≤ J with about equal work, to which their slots are proportional.
inline Bands bands_of(PairKernel kernel, std::size_t chunks, std::size_t bytes) {
  const auto count = static_cast<std::uint32_t>(chunks);
  Bands bands{};
  const auto add = [&](const Band& band, std::size_t slots, std::uint32_t tasks) {
    bands.shares.push_back({band, tasks, slots});
    bands.slots = std::max(bands.slots, slots);
  };
  const bool fits = chunks * bytes <= max_bytes_of_sums;
  const std::size_t room = room_of_buffer(chunks, bytes);
  if (kernel != PairKernel::pair_once) {
    const auto step = fits ? count : std::max(1U, static_cast<std::uint32_t>(room / chunks));
    for (std::uint32_t first = 0; first < count; first += step) {
      const std::uint32_t parts = std::min(step, count - first);
      // A slot of a walk is as long as the state.
      add({0, first, 0, 0, parts}, kernel == PairKernel::walk ? parts : std::size_t{parts} * chunks, parts);
    }
    return bands;
  }
  return bands_of_rows(0, count, count, fits ? chunks * chunks : room);
}

}  // namespace orrery::sim::cuda
