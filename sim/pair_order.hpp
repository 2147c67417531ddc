// SPDX-License-Identifier: MIT
// The canonical order of pair sums, a function of N alone (docs/canonical-order.md).
#pragma once

#include <cstddef>

namespace orrery::sim {

inline constexpr std::size_t group_size = 32;                           ///< bodies that rotate together
inline constexpr std::size_t bodies_per_lane = 4;                       ///< R: bodies i in a lane of a tile
inline constexpr std::size_t tile_size = group_size * bodies_per_lane;  ///< bodies i of a tile
inline constexpr std::size_t max_chunks = 256;                          ///< maximum number of partial sums per body

/// Bodies in a chunk: 128, doubled until there are at most 256 chunks.
constexpr std::size_t chunk_size(std::size_t n) {
  std::size_t size = tile_size;
  while (size * max_chunks < n) size *= 2;
  return size;
}

constexpr std::size_t chunk_count(std::size_t n) {
  return (n + chunk_size(n) - 1) / chunk_size(n);
}

/// Number of terms that sums over bodies add as one binary tree.
inline constexpr std::size_t sum_block = 256;

/// Gravity between bodies closer than this overflows; coordinates must stay below `farthest`.
inline constexpr double min_r2 = 0x1p-680;
/// Closer than this the steepest power, c = r⁻⁹, overflows. The limit in float64 of all laws that need no larger one.
inline constexpr double default_min_r2 = 0x1p-226;
inline constexpr double farthest = 0x1p338;

}  // namespace orrery::sim
