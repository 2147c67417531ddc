// SPDX-License-Identifier: MIT
// The keys by which bodies are sorted, and which cells of the octree are leaves. Integers and exact scaling only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::tree {

/// The greatest side of the cube, beyond which a state has left the range.
inline constexpr double farthest_extent = 0x1p340;

/// Where a coordinate is along its axis: ⌊(x − low)·scale⌋, at most 2²¹ − 1. `scale` is 2²¹ over the side of the cube, a
/// power of two, so that only the difference is rounded. NaN is last.
ORRERY_EVERYWHERE std::uint64_t place(double x, double low, double scale) {
  constexpr std::uint64_t last = (std::uint64_t{1} << levels) - 1;
  const double at = (x - low) * scale;
  return at < static_cast<double>(last) ? static_cast<std::uint64_t>(at) : last;
}

/// Puts two zeros between neighbouring bits of 21.
ORRERY_EVERYWHERE std::uint64_t spread(std::uint64_t v) {
  v = (v | v << 32) & 0x001f00000000ffff;
  v = (v | v << 16) & 0x001f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  return (v | v << 2) & 0x1249249249249249;
}
/// The Morton key, 63 bits: of each level one bit of x, then of y, then of z.
ORRERY_EVERYWHERE std::uint64_t key(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return spread(x) << 2 | spread(y) << 1 | spread(z);
}
/// The octant of a body in a cell of a level, from its key: 0 … 7.
ORRERY_EVERYWHERE unsigned octant(std::uint64_t key, int level) {
  return static_cast<unsigned>(key >> (3 * (levels - 1 - level)) & 7);
}

/// Whether a cell is a leaf: few bodies, and not thinner than a quarter of the cube's mean density, 4·n·8^level ≥ N. Wide
/// and thin leaves beside a heavy core would meet all of it body by body. At the last level every cell is one.
ORRERY_EVERYWHERE bool is_leaf(std::uint64_t bodies, int level, std::uint64_t all, std::uint64_t leaf_size) {
  if (level == levels || bodies == 1) return true;
  // From level 10 on 4·n·8^level ≥ 2³³ > N, which is below 2³².
  return bodies <= leaf_size && (level > 10 || bodies << (3 * level + 2) >= all);
}

}  // namespace orrery::sim::tree
