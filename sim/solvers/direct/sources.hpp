// SPDX-License-Identifier: MIT
// Lists of the sources, the bodies of nonzero weight, for systems in which they are few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::sim {

/// Sources in the canonical order: a body goes through a group cyclically from its own lane on, upwards if the group is
/// in a later chunk, and through a tile of an earlier chunk downwards, the four bodies of a lane at a time.
struct SourceList {
  /// Entries begin … end − 1 of the group or tile whose first body is `first`.
  struct Run {
    std::uint32_t first, begin, end;
  };
  /// A chunk with sources, and its runs.
  struct Chunk {
    std::uint32_t chunk, first_group, last_group, first_tile, last_tile;
  };
  std::vector<std::uint32_t> by_group;  ///< ascending
  std::vector<std::uint32_t> by_tile;   ///< in each tile lanes descending, and the bodies of a lane ascending
  std::vector<Run> groups, tiles;
  std::vector<Chunk> chunks;

  [[nodiscard]] std::size_t size() const { return by_group.size(); }
};

/// Returns the sources of bodies with these weights, in chunks of `chunk` and tiles of 32 · per_lane bodies.
SourceList list_sources(std::span<const double> weights, std::size_t per_lane, std::size_t chunk);

}  // namespace orrery::sim
