// SPDX-License-Identifier: MIT
// Which cells act on a cell: by expansions, body by body, or on its children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/solvers/tree/meeting.hpp"
#include "sim/solvers/tree/simd/expansions.hpp"

namespace orrery::sim::tree {

using Cells = std::vector<std::uint32_t>;

/// The lists of a cell, and room to make them.
struct Lists {
  Cells far, near, now, next;
  std::vector<std::uint8_t> apart;
};

/// Makes the lists of cell `target` from what its parent left, `open`, round by round; what it leaves to its own children
/// goes to `left`.
inline void choose_cells(std::span<const simd::TreeCell> cells, const simd::TreeLoops& loops, int order,
                         std::size_t target, const Cells& open, Lists& lists, Cells& left) {
  const auto party = [&](std::size_t c) {
    return Party{cells[c].reach, static_cast<std::uint32_t>(c), cells[c].bodies(), cells[c].leaf()};
  };
  const Party self = party(target);
  lists.far.clear(), lists.near.clear(), left.clear();
  lists.now = open;
  while (!lists.now.empty()) {
    lists.next.clear();
    lists.apart.resize(lists.now.size());
    loops.apart(cells.data(), target, lists.now.data(), lists.now.size(), lists.apart.data());
    for (std::size_t i = 0; i < lists.now.size(); ++i) {
      const std::uint32_t s = lists.now[i];
      if (!cells[s].acts) continue;
      switch (meeting(self, party(s), lists.apart[i] != 0, order)) {
        case Meeting::far:
          lists.far.push_back(s);
          break;
        case Meeting::near:
          lists.near.push_back(s);
          break;
        case Meeting::descend:
          left.push_back(s);
          break;
        case Meeting::split:
          for (std::uint32_t k = 0; k < cells[s].children; ++k) lists.next.push_back(cells[s].child + k);
      }
    }
    lists.now.swap(lists.next);
  }
}

}  // namespace orrery::sim::tree
