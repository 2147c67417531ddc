// SPDX-License-Identifier: MIT
// The numbers of the canonical order of the tree solver and the numbering of its tensors (docs/canonical-order.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/arithmetic.hpp"

namespace orrery::sim::tree {

/// Partial sums of a canonical sum: term i is added to partial sum i mod 8, on every machine.
inline constexpr std::size_t lanes = 8;
/// Near sources whose partial sums are folded together; a multiple of `lanes`.
inline constexpr std::size_t segment_size = 2048;
/// Bits of a key along each axis: the deepest level of the octree.
inline constexpr int levels = 21;
inline constexpr int min_order = 3, greatest_order = 6;

/// Number of components of the symmetric tensors of orders 0 … p.
ORRERY_EVERYWHERE constexpr int size_of(int p) {
  return (p + 1) * (p + 2) * (p + 3) / 6;
}

/// The exponents of a component x^a y^b z^c, and its order n = a + b + c.
struct Index {
  int a, b, c, n;
};

/// The number of a component: by order, then by b + c, then by c, ascending.
ORRERY_EVERYWHERE constexpr int at(int a, int b, int c) {
  const int n = a + b + c, t = b + c;
  return n * (n + 1) * (n + 2) / 6 + t * (t + 1) / 2 + c;
}
ORRERY_EVERYWHERE constexpr int sum_at(Index k, Index j) {
  return at(k.a + j.a, k.b + j.b, k.c + j.c);
}

struct IndexTable {
  Index of[size_of(greatest_order)];
};
/// The inverse of `at`.
inline constexpr IndexTable indices = [] {
  IndexTable table{};
  int i = 0;
  for (int n = 0; n <= greatest_order; ++n) {
    for (int t = 0; t <= n; ++t) {
      for (int c = 0; c <= t; ++c) table.of[i++] = {n - t, t - c, c, n};
    }
  }
  return table;
}();

}  // namespace orrery::sim::tree
