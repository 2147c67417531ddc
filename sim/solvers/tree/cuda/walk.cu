// SPDX-License-Identifier: MIT
// The lists of all cells, a warp for each target, in one launch: a warp waits until the lists of the parent are made.
// Warps take cells in ascending order and parents come before children, so the warp that others wait for is running.
#include <algorithm>

#include "sim/backends/cuda/real.cuh"
#include "sim/solvers/tree/acceptance.hpp"
#include "sim/solvers/tree/cuda/kernels.cuh"
#include "sim/solvers/tree/cuda/residency.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned walk_warps = 4, walk_block = 32 * walk_warps, walks_at_once = 6;
/// Entries of lists in shared memory. Cells with longer ones are walked a second time, straight to their place.
constexpr std::uint32_t far_at_hand = 640, rest_at_hand = 256;
constexpr auto segment = static_cast<std::uint32_t>(tree::segment_size);

/// Where lists go, and their room. `rest`: the near list of a leaf, or what another cell leaves to its children.
struct ListPlaces {
  std::uint32_t *far, *rest;
  std::uint32_t max_far, max_rest;
};

/// The walk of one warp.
class Walk {
 public:
  __device__ __forceinline__ Walk(const TreeOfForce& tree, std::uint32_t* queue, std::uint32_t target)
      : tree_(tree), queue_(queue), me_(at(target)) {
    me_.point.w = fabs(me_.point.w);
  }

  /// Meets the candidates that the parent left, then the children of cells that are split, in order. Those cells wait in
  /// a queue. Candidates are loaded while others are met. Returns false if the queue is too short.
  __device__ __forceinline__ bool run(const std::uint32_t* open, std::uint32_t count, const ListPlaces& found) {
    far = rest = 0, of_lane_ = 0;
    head_ = tail_ = 0;
    const auto left_open = [&](std::uint32_t k) {
      return k >= count ? Candidate{} : at(open != nullptr ? __ldcg(open + k) : 0);
    };
    Candidate now = left_open(lane_);
    for (std::uint32_t k = 0; k < count; k += 32) {
      const Candidate next = left_open(k + 32 + lane_);
      if (!interact(now, found)) return false;
      now = next;
    }
    for (bool is_taken = false; is_taken || head_ != tail_;) {
      if (!is_taken) now = take();
      is_taken = tail_ - head_ >= at_once;  // a round of fewer would waste lanes
      const Candidate next = is_taken ? take() : Candidate{};
      if (!interact(now, found)) return false;
      now = next;
    }
    sources = of_lane_;
    for (unsigned lanes = 16; lanes > 0; lanes /= 2) sources += __shfl_xor_sync(~0U, sources, lanes);
    return true;
  }

  std::uint32_t far = 0, rest = 0;  ///< lengths of the lists
  std::uint64_t sources = 0;        ///< of the near list

 private:
  using Acceptance = tree::Acceptance;
  static constexpr std::uint32_t at_once = 4;  ///< cells of the queue, whose children are a candidate for each lane

  struct Candidate {
    std::uint32_t number = 0;
    TreeCell cell{};  ///< none if it has no bodies
    TreePoint point{};
    [[nodiscard]] __device__ __forceinline__ tree::Party party() const {
      return {point.w, number, cell.size(), cell.is_leaf()};
    }
  };
  [[nodiscard]] __device__ __forceinline__ Candidate at(std::uint32_t i) const {
    return {i, tree_.cell[i], tree_.centre[i]};
  }
  /// The children of the next cells in the queue.
  __device__ __forceinline__ Candidate take() {
    __syncwarp();
    const std::uint32_t taken = min(at_once, tail_ - head_), entry = lane_ / 8;
    const std::uint32_t children = entry < taken ? queue_[(head_ + entry) % tree_.room_for_queue] : 0;
    head_ += taken;
    return lane_ % 8 < (children & 15) ? at((children >> 4) + lane_ % 8) : Candidate{};
  }
  /// One candidate a lane, by the whole warp.
  __device__ __forceinline__ bool interact(const Candidate& it, const ListPlaces& found) {
    constexpr int left_out = -1;
    if (tail_ - head_ + 2 * 32 > tree_.room_for_queue) {
      if (lane_ == 0) atomicMax(&tree_.control->walk.queue, tree_.room_for_queue);
      return false;
    }
    int how = left_out;
    if (it.cell.size() != 0 && !signbit(it.point.w)) {
      const Triple<Real> apart{Real(me_.point.x) - Real(it.point.x), Real(me_.point.y) - Real(it.point.y),
                               Real(me_.point.z) - Real(it.point.z)};
      how = static_cast<int>(tree::acceptance(
          me_.party(), it.party(), tree::are_apart(apart, Real(me_.point.w), Real(it.point.w)), tree_.expansion_order));
    }
    // Leaves have no list for children, and other cells no near list. One population count a lane: they are slow.
    const bool is_far = how == static_cast<int>(Acceptance::far), is_split = how == static_cast<int>(Acceptance::split),
               is_rest = how == static_cast<int>(Acceptance::near) || how == static_cast<int>(Acceptance::descend);
    const unsigned all_far = __ballot_sync(~0U, is_far), all_split = __ballot_sync(~0U, is_split),
                   all_rest = __ballot_sync(~0U, is_rest);
    const auto rank = static_cast<std::uint32_t>(__popc((is_far     ? all_far
                                                         : is_split ? all_split
                                                                    : all_rest) &
                                                        ((1U << lane_) - 1)));
    if (is_far && far + rank < found.max_far) found.far[far + rank] = it.number;
    if (tree_.needed != nullptr && is_far && it.cell.is_leaf() && !tree_.is_made_here(it.cell))
      tree_.needed[it.number] = 1;
    if (is_rest && rest + rank < found.max_rest) found.rest[rest + rank] = it.number;
    if (is_split) queue_[(tail_ + rank) % tree_.room_for_queue] = it.cell.children;
    far += static_cast<std::uint32_t>(__popc(all_far)), rest += static_cast<std::uint32_t>(__popc(all_rest));
    tail_ += static_cast<std::uint32_t>(__popc(all_split));
    if (how == static_cast<int>(Acceptance::near)) of_lane_ += tree_.before(it.cell.end) - tree_.before(it.cell.begin);
    return true;
  }

  const TreeOfForce& tree_;
  std::uint32_t* queue_;
  unsigned lane_ = threadIdx.x % 32;
  Candidate me_;
  std::uint64_t of_lane_ = 0;          ///< sources found by this lane
  std::uint32_t head_ = 0, tail_ = 0;  ///< of the queue; they may overflow
};

/// What the results of a walk need, and where they go.
struct Claim {
  std::uint64_t entries, pieces, sums;

  /// Claims places and returns whether there are enough.
  __device__ __forceinline__ bool take(const TreeOfForce& tree, TreeLists& lists, std::uint64_t& first_piece) const {
    using Counter = unsigned long long;
    TreeControl::Walk& control = tree.control->walk;
    if (threadIdx.x % 32 == 0) {
      lists.begin = atomicAdd(reinterpret_cast<Counter*>(&control.listed), Counter{entries});
      if (pieces != 0) first_piece = atomicAdd(reinterpret_cast<Counter*>(&control.pieces), Counter{pieces});
      if (sums != 0) lists.further = atomicAdd(reinterpret_cast<Counter*>(&control.sums), Counter{sums});
    }
    lists.begin = __shfl_sync(~0U, lists.begin, 0);
    lists.further = __shfl_sync(~0U, lists.further, 0);
    first_piece = __shfl_sync(~0U, first_piece, 0);
    return lists.begin + entries <= tree.room_for_lists && first_piece + pieces <= tree.room_for_pieces &&
           lists.further + sums <= tree.room_for_sums;
  }
};

__device__ __forceinline__ std::uint32_t chunks_of(const TreeCell& leaf) {
  return (leaf.size() + max_targets - 1) / max_targets;
}

/// Writes the pieces of a leaf from `first_piece` on: for each segment one for each chunk of its bodies.
__device__ __forceinline__ void cut(const TreeOfForce& tree, const TreeCell& leaf, const TreeLists& lists,
                                    std::uint64_t sources, std::uint64_t first_piece) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t near = lists.begin + lists.far, outputs = outputs_per_body(tree.outputs);
  const std::uint32_t size = leaf.size(), chunks = chunks_of(leaf), targets = (size + chunks - 1) / chunks;
  const auto write = [&](std::uint64_t q, std::uint32_t chunk, std::uint32_t entry, std::uint64_t skipped) {
    const std::uint32_t first = min(chunk * targets, size);
    const std::uint64_t further = outputs * tree.n + lists.further + (q - 1) * outputs * size;
    tree.piece[first_piece + q * chunks + chunk] = {
        .list = near + entry,
        .sums = (q == 0 ? leaf.begin : further) + first,
        .entries = lists.near - entry,
        .skipped = static_cast<std::uint32_t>(skipped),
        .sources = static_cast<std::uint32_t>(min(std::uint64_t{segment}, sources - q * segment)),
        .first = leaf.begin + first,
        .targets = min(targets, size - first),
        .row = q == 0 ? tree.n : size};
  };
  if (lists.segments == 1) {
    for (std::uint32_t chunk = lane; chunk < chunks; chunk += 32) write(0, chunk, 0, 0);
    return;
  }
  std::uint64_t before = 0;
  for (std::uint32_t k = 0; k < lists.near; k += 32) {
    std::uint64_t own = 0;
    if (k + lane < lists.near) {
      const TreeCell cell = tree.cell[__ldcg(tree.list + near + k + lane)];
      own = tree.before(cell.end) - tree.before(cell.begin);
    }
    std::uint64_t end = own;
    for (unsigned d = 1; d < 32; d *= 2) {
      const std::uint64_t other = __shfl_up_sync(~0U, end, d);
      if (lane >= d) end += other;
    }
    end += before;
    for (std::uint64_t q = (end - own + segment - 1) / segment; q * segment < end; ++q) {
      for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) write(q, chunk, k + lane, q * segment - (end - own));
    }
    before = __shfl_sync(~0U, end, 31);
  }
}

/// Waits for the lists of the parent; sets the candidates that it left, null for the root itself.
__device__ __forceinline__ std::uint32_t wait_for_parent(const TreeOfForce& tree, std::uint32_t i, std::uint32_t parent,
                                                         const std::uint32_t*& open) {
  if (i == 0) return isnan(tree.control->scale) ? 0 : 1;
  const TreeLists* const lists = tree.lists + parent;
  while (*static_cast<const volatile std::uint32_t*>(&lists->walk) != tree.walk) __nanosleep(100);
  __threadfence();
  open = tree.list + __ldcg(&lists->begin) + __ldcg(&lists->far) + __ldcg(&lists->near);
  return __ldcg(&lists->down);
}

__global__ void __launch_bounds__(walk_block, walks_at_once) walk_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ std::uint32_t at_hand[walk_warps][far_at_hand + rest_at_hand];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t* const here = at_hand[warp];
  const ListPlaces found{here, here + far_at_hand, far_at_hand, rest_at_hand};
  std::uint32_t* const queue = tree.queue + (blockIdx.x * std::size_t{walk_warps} + warp) * tree.room_for_queue;
  const std::uint32_t cells = tree.control->cells;
  for (;;) {
    std::uint32_t i = 0;
    if (lane == 0) i = atomicAdd(&tree.control->walk.ticket[0], 1U);
    i = __shfl_sync(~0U, i, 0);
    if (i >= cells) return;
    const TreeCell cell = tree.cell[i];
    if (!tree.is_mine(cell)) {
      if (lane == 0) tree.lists[i] = {};
      continue;
    }
    const std::uint32_t* open = nullptr;
    const std::uint32_t count = wait_for_parent(tree, i, cell.parent, open);
    Walk walk(tree, queue, i);
    bool is_done = walk.run(open, count, found);
    TreeLists lists{};
    lists.far = walk.far, (cell.is_leaf() ? lists.near : lists.down) = walk.rest;
    lists.segments = static_cast<std::uint32_t>((walk.sources + segment - 1) / segment);
    const Claim claim{std::uint64_t{walk.far} + walk.rest, std::uint64_t{lists.segments} * chunks_of(cell),
                      lists.segments > 1 ? (lists.segments - 1) * outputs_per_body(tree.outputs) * cell.size() : 0};
    std::uint64_t first_piece = 0;
    is_done = is_done && claim.take(tree, lists, first_piece);
    if (is_done) {
      std::uint32_t *const far = tree.list + lists.begin, *const rest = far + lists.far;
      if (walk.far > far_at_hand || walk.rest > rest_at_hand) {
        walk.run(open, count, {far, rest, walk.far, walk.rest});
      } else {
        __syncwarp();
        for (std::uint32_t k = lane; k < walk.far; k += 32) far[k] = found.far[k];
        for (std::uint32_t k = lane; k < walk.rest; k += 32) rest[k] = found.rest[k];
      }
      __syncwarp();
      if (lists.segments > 0) cut(tree, cell, lists, walk.sources, first_piece);
    } else {
      lists = {};
    }
    __syncwarp();
    if (lane == 0) {
      tree.lists[i] = lists;  // of no walk
      __threadfence();
      *static_cast<volatile std::uint32_t*>(&tree.lists[i].walk) = tree.walk;
    }
  }
}

}  // namespace

unsigned walkers_at_once() {
  return resident_blocks(walk_kernel, walk_block) * walk_warps;
}

void walk_cells(const TreeOfForce& tree, unsigned walkers, StreamHandle stream) {
  walk_kernel<<<walkers / walk_warps, walk_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the lists of cells");
}

}  // namespace orrery::sim::cuda
