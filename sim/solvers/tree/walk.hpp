// SPDX-License-Identifier: MIT
// Which cells act on a cell: by expansions, body by body, or on its children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/solvers/tree/acceptance.hpp"
#include "sim/solvers/tree/simd/expansions.hpp"

namespace orrery::sim::tree {

using Cells = std::vector<std::uint32_t>;

/// The lists of a cell, and room to make them.
struct Lists {
  Cells far, near, now, next;
  std::vector<std::uint8_t> apart;
};

/// Keeps what it has.
inline void make_room(Cells& list, std::size_t size) {
  if (list.size() < size) list.resize(2 * size);
}

/// Makes the lists of cell `target` from what its parent left, `open`, round by round; what it leaves to its own children
/// goes to `left`.
inline void choose_cells(std::span<const simd::TreeCell> cells, const simd::TreeLoops& loops, int order,
                         std::size_t target, const Cells& open, Lists& lists, Cells& left) {
  const auto party = [&](std::size_t c) {
    return Party{cells[c].reach, static_cast<std::uint32_t>(c), cells[c].bodies(), cells[c].leaf()};
  };
  const Party self = party(target);
  std::size_t far = 0, near = 0, descend = 0;
  lists.now = open;
  while (!lists.now.empty()) {
    const std::size_t count = lists.now.size();
    lists.next.clear();
    lists.apart.resize(count);
    loops.apart(cells.data(), target, lists.now.data(), count, lists.apart.data());
    make_room(lists.far, far + count), make_room(lists.near, near + count), make_room(left, descend + count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t s = lists.now[i];
      if (!cells[s].acts) continue;
      const Acceptance how = acceptance(self, party(s), lists.apart[i] != 0, order);
      // Written to all lists and counted in one of them: a branch could not be predicted.
      lists.far[far] = lists.near[near] = left[descend] = s;
      far += how == Acceptance::far ? 1 : 0, near += how == Acceptance::near ? 1 : 0;
      descend += how == Acceptance::descend ? 1 : 0;
      if (how != Acceptance::split) continue;
      for (std::uint32_t k = 0; k < cells[s].children; ++k) lists.next.push_back(cells[s].child + k);
    }
    lists.now.swap(lists.next);
  }
  lists.far.resize(far), lists.near.resize(near), left.resize(descend);
}

}  // namespace orrery::sim::tree
