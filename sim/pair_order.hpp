// SPDX-License-Identifier: MIT
// The one order in which pairs are summed: a property of N, never of the machine (docs/canonical-order.md).
#pragma once

#include <cstddef>

namespace orrery::sim {

inline constexpr std::size_t group_size = 32;                           ///< bodies that rotate together
inline constexpr std::size_t bodies_per_lane = 4;                       ///< R: a lane of a tile holds so many bodies i
inline constexpr std::size_t tile_size = group_size * bodies_per_lane;  ///< bodies i of one tile
inline constexpr std::size_t most_chunks = 256;                         ///< bounds the partial sums to 256 a body

/// Bodies in a chunk: 128, doubled until there are at most 256 chunks.
constexpr std::size_t chunk_size(std::size_t n) {
  std::size_t size = tile_size;
  while (size * most_chunks < n) size *= 2;
  return size;
}

constexpr std::size_t chunk_count(std::size_t n) {
  return (n + chunk_size(n) - 1) / chunk_size(n);
}

/// Terms of a sum over bodies that are added as one binary tree.
inline constexpr std::size_t sum_block = 256;

/// A pair farther apart or closer than this has no canonical r⁻³; positions are held within `farthest`.
inline constexpr double least_r2 = 0x1p-680;
/// Closer than this the steepest power is beyond numbers: its c = r⁻⁹ overflows. What float64 takes for all laws but those
/// that say more.
inline constexpr double least_r2_of_any_law = 0x1p-226;
inline constexpr double farthest = 0x1p338;

}  // namespace orrery::sim
