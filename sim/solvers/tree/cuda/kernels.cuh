// SPDX-License-Identifier: MIT
// The tree of the bodies on a device, and the launches of its kernels. All of them are asynchronous; arrays that turn
// out too small are left incomplete and reported in the control block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/backends/cuda/kernels.cuh"
#include "sim/force.hpp"
#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::cuda {

/// A place in space with a number: a body and its weight, or the centre of a cell and its critical radius.
struct alignas(16) TreePoint {
  double x, y, z, w;
};

/// Bodies begin … end − 1 in the order of the keys. Cells are numbered level by level, children side by side.
struct alignas(16) TreeCell {
  std::uint32_t begin, end;
  std::uint32_t children;  ///< number of the first, times 16, plus how many; 0: a leaf
  std::uint32_t parent;    ///< of the root: 0
  [[nodiscard]] ORRERY_DEVICE bool is_leaf() const { return children == 0; }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t first_child() const { return children >> 4; }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t child_count() const { return children & 15; }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t size() const { return end - begin; }
};
inline constexpr std::uint32_t most_cells = 1U << 28;

/// Where the lists of a cell begin: those it meets by expansions, those it meets body by body, and those that it leaves
/// to its children.
struct alignas(8) TreeLists {
  std::uint64_t begin;
  std::uint32_t far, near, down;
  std::uint32_t made;  ///< the number of the walk that made them
};

/// Near interactions for one warp: up to `most_targets` bodies of a leaf with the bodies of one segment.
struct alignas(16) TreePiece {
  std::uint64_t list;  ///< the first entry
  std::uint64_t sums;  ///< where the sums of the first target begin
  std::uint32_t entries;
  std::uint32_t first, targets;  ///< bodies
  std::uint32_t row;             ///< from one component of the sums to the next
};
inline constexpr unsigned most_targets = 24;

/// What the device finds out about itself. Zero before each evaluation, except where noted.
struct TreeControl {
  std::uint64_t highest[3], lowest[3];  ///< coordinates as integers of the same order; lowest: their complement
  double corner[3], scale;              ///< of the cube; cells of the deepest level per length
  std::uint32_t level[tree::levels + 3];  ///< where each level begins
  std::uint32_t cells;
  std::uint64_t listed, extra;  ///< entries of lists; sums of segments other than the first
  std::uint32_t pieces;
  std::uint32_t ticket[4];
  std::uint32_t ring;  ///< the longest queue of a walk that did not fit
  std::uint32_t lacks_cells;
};

/// Parameters of all kernels.
struct TreeOnDevice {
  std::uint32_t n, leaf_size;
  const double* position;  ///< [3][stride]
  std::size_t stride;
  TreeControl* control;

  std::uint64_t* key;    ///< [n], sorted
  std::uint32_t* order;  ///< [n], the bodies in the order of the keys
  std::uint32_t* leaf;   ///< [n], the leaf of each
  TreePoint* body;       ///< [n]

  std::uint32_t room_for_cells;
  TreeCell* cell;
  TreePoint* centre;
  double *moments, *series;  ///< rows of row_of(order)
  std::uint32_t* arrived;    ///< children whose moments are known; all 0 between evaluations
  TreeLists* lists;

  std::uint64_t room_for_lists;
  std::uint32_t* list;
  std::uint32_t room_for_ring, walkers;
  std::uint32_t* ring;  ///< [walkers][room_for_ring]
  std::uint32_t room_for_pieces;
  TreePiece* piece;
  std::uint64_t room_for_sums;
  double* sums;  ///< [outputs][n], then those of further segments

  int order_of_expansion;
  double softening2;
};

/// Numbers from one row of moments or series to the next: a whole number of groups of 16 bytes.
ORRERY_DEVICE constexpr int row_of(int order) {
  return (tree::size_of(order) + 3) / 4 * 4;
}

}  // namespace orrery::sim::cuda
