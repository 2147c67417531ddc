// SPDX-License-Identifier: MIT
// The bodies that act on others: those of weight 0 are sources of nothing, and where most are, only the others are met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::sim {

/// Sources with their places in the canonical order kept: each body meets those of a group beginning with its own lane, and
/// going round; upwards where the group lies in a chunk behind its own, and downwards, four of a lane at a time, where a tile
/// lies in a chunk before it.
struct SourceList {
  /// Entries begin … end − 1 of one group or one tile, whose first body is `first`.
  struct Run {
    std::uint32_t first, begin, end;
  };
  /// A chunk with sources, and the runs that lie in it.
  struct Chunk {
    std::uint32_t chunk, first_group, last_group, first_tile, last_tile;
  };
  std::vector<std::uint32_t> by_group;  ///< ascending
  std::vector<std::uint32_t> by_tile;   ///< in each tile lanes descending, and the bodies of a lane ascending
  std::vector<Run> groups, tiles;
  std::vector<Chunk> chunks;

  [[nodiscard]] std::size_t size() const { return by_group.size(); }
};

/// Of bodies with these weights, in chunks of so many and tiles of 32 · per_lane.
SourceList list_sources(std::span<const double> weights, std::size_t per_lane, std::size_t chunk);

}  // namespace orrery::sim
