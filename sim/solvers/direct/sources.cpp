// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/sources.hpp"

#include <algorithm>
#include <utility>

#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

/// Appends the runs of entries in the same piece of `piece` bodies.
void append_runs(const std::vector<std::uint32_t>& sources, std::size_t piece, std::vector<SourceList::Run>& runs) {
  const auto size = static_cast<std::uint32_t>(piece);
  for (std::uint32_t k = 0; k < sources.size(); ++k) {
    const std::uint32_t first = sources[k] / size * size;
    if (runs.empty() || runs.back().first != first) runs.push_back({first, k, k});
    runs.back().end = k + 1;
  }
}

}  // namespace

SourceList list_sources(std::span<const double> weights, std::size_t per_lane, std::size_t chunk) {
  SourceList list;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) list.by_group.push_back(i);
  }
  const std::size_t tile = group_size * per_lane;
  list.by_tile = list.by_group;
  std::ranges::stable_sort(list.by_tile, {},
                           [&](std::uint32_t i) { return std::pair(i / tile, group_size - 1 - i % group_size); });
  append_runs(list.by_group, group_size, list.groups);
  append_runs(list.by_tile, tile, list.tiles);
  const auto end_of = [&](const std::vector<SourceList::Run>& runs, std::uint32_t k, std::uint32_t c) {
    while (k < runs.size() && runs[k].first / chunk == c) ++k;
    return k;
  };
  for (std::uint32_t group = 0, tile_run = 0; group < list.groups.size();) {
    const auto c = static_cast<std::uint32_t>(list.groups[group].first / chunk);
    const std::uint32_t last_group = end_of(list.groups, group, c), last_tile = end_of(list.tiles, tile_run, c);
    list.chunks.push_back({c, group, last_group, tile_run, last_tile});
    group = last_group, tile_run = last_tile;
  }
  return list;
}

}  // namespace orrery::sim
