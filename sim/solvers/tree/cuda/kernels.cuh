// SPDX-License-Identifier: MIT
// The tree of the bodies on a device, and the launches of its kernels. All of them are asynchronous. Whether an array is
// too small is known to the device alone: nothing is written beyond its end, and the control block says what lacked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/backends/cuda/exchange.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/force.hpp"
#include "sim/solvers/tree/order.hpp"

namespace orrery::sim::cuda {

/// A place in space with a number: a body and its weight, or the centre of a cell and its reach.
struct alignas(16) TreePoint {
  double x, y, z, w;
};

/// Bodies begin … end − 1 in order.
struct alignas(16) TreeCell {
  std::uint32_t begin, end;
  std::uint32_t children;  ///< 16 times the number of the first, plus how many; 0: a leaf
  std::uint32_t parent;    ///< of the root: 0
  [[nodiscard]] ORRERY_DEVICE bool is_leaf() const { return children == 0; }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t first_child() const { return children >> 4; }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t child_count() const { return children & 15; }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t size() const { return end - begin; }
};
inline constexpr std::uint32_t max_cells = 1U << 28;

/// The lists of a cell, one after the other from `begin` on: cells that it meets by expansions, cells that it meets body
/// by body, and those left to its children.
struct alignas(16) TreeLists {
  std::uint64_t begin;
  std::uint32_t far, near, down;
  std::uint32_t walk;  ///< the number of the walk that made them
  std::uint64_t
      further;  ///< sums over segments from the second on, after those of the first: [segments − 1][outputs][bodies]
  std::uint32_t segments;  ///< of the near sources of a leaf
};

/// Near pairs of up to `max_targets` bodies of a leaf with one segment of its near sources.
struct alignas(16) TreePiece {
  std::uint64_t list;            ///< the entry with the first source
  std::uint64_t sums;            ///< where the sums of the first target are
  std::uint32_t entries;         ///< from there to the end of the list
  std::uint32_t skipped;         ///< sources of the first entry that belong to the segment before
  std::uint32_t sources;         ///< of the segment
  std::uint32_t first, targets;  ///< bodies
  std::uint32_t row;             ///< from a component of the sums to the next
};
inline constexpr std::uint32_t max_targets = 16;

/// What only the device knows.
struct TreeControl {
  /// Of the lists of a force.
  struct Walk {
    std::uint64_t listed, pieces, sums;  ///< needed room for lists, pieces, and sums of segments from the second on
    std::uint32_t queue;                 ///< room_for_queue if that was too little
    std::uint32_t ticket[3];             ///< of walks, pieces and far fields: how many were taken
  } walk;
  std::uint64_t highest[3], lowest[3];    ///< coordinates as integers in the same order; lowest: complements
  double low[3], scale;                   ///< of the cube; scale: NaN if the bodies are too far apart
  std::uint32_t level[tree::levels + 3];  ///< where each level begins
  std::uint32_t cells;                    ///< 0 if there was no room for all
};

/// The memory of other ranks that make the tree with this one: by how many bytes it is after the same of this rank.
struct PeerMemory {
  static constexpr int most = Signals::max_peers;
  int count;
  std::ptrdiff_t bytes[most];

  /// Writes a number to this rank and to all others.
  template <class Number>
  ORRERY_DEVICE void put(Number* at, const Number& value) const {
    *at = value;
    for (int k = 0; k < count; ++k) *reinterpret_cast<Number*>(reinterpret_cast<char*>(at) + bytes[k]) = value;
  }
#ifdef __CUDACC__
  /// Called by a block of `threads` threads: writes points to all ranks, in whole lines, since other GPUs are reached in packets.
  __device__ __forceinline__ void put_block(TreePoint* at, const TreePoint* points, unsigned n,
                                            unsigned threads) const {
    const auto* const from = reinterpret_cast<const uint4*>(points);
    for (int k = -1; k < count; ++k) {
      auto* const to = reinterpret_cast<uint4*>(reinterpret_cast<char*>(at) + (k < 0 ? 0 : bytes[k]));
      for (unsigned piece = threadIdx.x; piece < n * (sizeof(TreePoint) / sizeof(uint4)); piece += threads)
        to[piece] = from[piece];
    }
  }
#endif
};

/// Cells with bodies of several of these ranks, which all ranks make; the other ones are made by the rank that has their bodies.
/// Children come first.
struct JointCells {
  std::uint32_t* cell;  ///< how many they are, and their numbers
  double* radius2;      ///< [ranks][room], as far as the bodies of each rank say
  int rank, ranks;
  std::uint32_t border[PeerMemory::most];  ///< the first body of each rank but the first

  [[nodiscard]] static ORRERY_DEVICE constexpr std::uint32_t room(int ranks) {
    return static_cast<std::uint32_t>((ranks - 1) * (tree::levels + 1));
  }
};

/// Parameters of the kernels.
struct TreeOnDevice {
  std::uint32_t n, leaf_size, room_for_cells;
  /// The bodies, in order, of which this rank makes the tree: all, unless several ranks share it.
  std::uint32_t made_first, made_last;
  const double* position;  ///< [3][stride]
  std::size_t stride;
  TreeControl* control;
  const std::uint64_t* key;    ///< [n], sorted
  const std::uint32_t* order;  ///< [n], the bodies in order
  std::uint32_t* place;        ///< [n], of each body in order
  std::uint32_t* leaf;         ///< [n], the leaf of each body, in order
  TreeCell* cell;              ///< [room_for_cells]
};

/// The same for a force.
struct TreeOfForce : TreeOnDevice {
  const double* weight;           ///< [n] by body
  std::uint32_t* sources_before;  ///< [n + 1], sources among the bodies before, in order; null: all are sources
  TreePoint *body, *source;       ///< in order; the same array if all are sources
  TreePoint* centre;              ///< w: the reach, negative if the weight is 0
  double* total;                  ///< W
  double *moments, *series;       ///< rows of row_of(order)
  std::uint32_t* arrived;         ///< children with known moments; all 0 between evaluations
  TreeLists* lists;
  std::uint32_t walk;            ///< its number
  std::uint32_t room_for_queue;  ///< a power of two
  std::uint64_t room_for_lists;
  std::uint64_t room_for_sums;
  std::uint32_t room_for_pieces;
  std::uint32_t* queue;  ///< [walkers][room_for_queue]
  std::uint32_t* list;
  TreePiece* piece;
  double* sums;  ///< [outputs][n] in order, those of the first segments; then of further ones
  int expansion_order, exponent;
  double narrow, wide, softening2;
  LawParameters parameters;
  Outputs outputs;
  PeerMemory peers;
  JointCells joint;
  unsigned char* needed;      ///< [cells], leaves of other ranks in far lists of this one; null unless there are any
  std::uint32_t first, last;  ///< the bodies of this rank, in order; lists and sums are made only for their leaves
  [[nodiscard]] ORRERY_DEVICE bool is_mine(const TreeCell& cell) const { return cell.begin < last && cell.end > first; }
  [[nodiscard]] ORRERY_DEVICE bool is_made_here(const TreeCell& cell) const {
    return cell.begin >= made_first && cell.end <= made_last;
  }
  [[nodiscard]] ORRERY_DEVICE std::uint32_t before(std::uint32_t j) const {
    return sources_before == nullptr ? j : sources_before[j];
  }
};

/// Numbers from one row of moments or series to the next: whole groups of 16 bytes, whose number is even.
ORRERY_DEVICE constexpr int row_of(int order) {
  return (tree::size_of(order) + 3) / 4 * 4;
}

/// Scratch memory of `sort_bodies`.
struct SortRoom {
  std::uint64_t* key[2];
  std::uint32_t* order[2];  ///< the first gets the result
  void* scratch;
  std::size_t bytes;
};
/// Of sort_bodies and gather_bodies.
std::size_t bytes_of_scratch(std::uint32_t n);
/// Sorts bodies by their keys; sets tree.key and tree.order.
void sort_bodies(TreeOnDevice& tree, const SortRoom& room, StreamHandle stream);
/// Sets the place of each body in order.
void find_places(const TreeOnDevice& tree, StreamHandle stream);
/// Blocks of make_octree, which wait for each other.
unsigned blocks_of_octree();
/// Cells and the leaf of each body. Scratch memory: ends: [8·room_for_cells], of_block: [blocks].
void make_octree(const TreeOnDevice& tree, std::uint32_t* ends, std::uint32_t* of_block, unsigned blocks,
                 StreamHandle stream);

/// Bodies with the weights of a force, and the sources among them.
void gather_bodies(const TreeOfForce& tree, void* scratch, std::size_t bytes, StreamHandle stream);
/// Centres and weights of cells. Then, of these alone: moments; reaches.
void sum_centres(const TreeOfForce& tree, StreamHandle stream);
void sum_moments(const TreeOfForce& tree, StreamHandle stream);
void find_reaches(const TreeOfForce& tree, StreamHandle stream);
/// The same of joint cells, after all ranks have done the former.
void sum_joint_centres(const TreeOfForce& tree, StreamHandle stream);
void sum_joint_moments(const TreeOfForce& tree, StreamHandle stream);
/// Moments of the leaves of other ranks that the lists need, since most are not: not worth sending.
void sum_needed_moments(const TreeOfForce& tree, StreamHandle stream);
void find_joint_reaches(const TreeOfForce& tree, StreamHandle stream);
/// Lists of all cells, and pieces of near pairs.
unsigned walkers_at_once();
void walk_cells(const TreeOfForce& tree, unsigned walkers, StreamHandle stream);
/// series ← the own series of each cell. `cells`: their number.
void m2l(const TreeOfForce& tree, bool dipoles, std::uint32_t cells, StreamHandle stream);
/// Adds to the series of each cell that of its parent, level by level.
void l2l(const TreeOfForce& tree, const TreeControl& control, StreamHandle stream);
/// Near pairs. `law` is an index in Laws.
void p2p(const TreeOfForce& tree, std::size_t law, std::uint32_t pieces, StreamHandle stream);
/// records of this rank's bodies, in order, on all ranks ← their sums: near pairs and the series of their leaves. They may be
/// tree.body itself.
void sum_up(const TreeOfForce& tree, TreePoint* records, StreamHandle stream);
/// result: [outputs][stride] by body ← the same in order.
void put_back(const TreeOfForce& tree, const TreePoint* records, double* result, StreamHandle stream);

/// Blocks for eight threads a cell; each has some cells. They are short, so that the other queue gets its turn.
inline unsigned blocks_for_cells(const TreeOfForce& tree, unsigned block) {
  return std::min(blocks_for(tree::lanes * std::size_t{tree.room_for_cells}, block), 32768U);
}

/// Calls act.template operator()<P>() for the order of the force.
template <class Act>
void for_order(const TreeOfForce& tree, const Act& act) {
  switch (tree.expansion_order) {
    case 3:
      return act.template operator()<3>();
    case 4:
      return act.template operator()<4>();
    case 5:
      return act.template operator()<5>();
    default:
      return act.template operator()<6>();
  }
}

}  // namespace orrery::sim::cuda
