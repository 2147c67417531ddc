// SPDX-License-Identifier: MIT
// Near pairs: a warp a piece, four targets times eight lanes at once and several targets a thread. The sources of a
// segment come one after the other through a ring in shared memory, into which the next ones are copied meanwhile.
#pragma once

#include "sim/solvers/direct/pair.hpp"
#include "sim/solvers/tree/cuda/eight.cuh"
#include "sim/solvers/tree/cuda/rows.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned near_warps = 4, near_block = 32 * near_warps, near_at_once = 4;
/// Sources that are met before the next wait, and that the ring holds.
inline constexpr std::uint32_t near_batch = 64, near_ring = 2 * near_batch;
inline constexpr unsigned targets_at_once = 32 / static_cast<unsigned>(tree::lanes);
inline constexpr std::uint32_t no_source = ~0U;

/// Bodies in shared memory, in halves: lanes that read neighbours read from different banks.
struct NearRing {
  Sixteen xy[near_ring], zw[near_ring];
};

/// The sources of a piece in their order, numbered from 0.
class NearSources {
 public:
  __device__ __forceinline__ NearSources(const TreeOfForce& tree, const TreePiece& piece, NearRing& ring)
      : tree_(tree), piece_(piece), ring_(ring), left_(piece.sources), skipped_(piece.skipped) {
    own_begin_ = tree.before(piece.first), own_end_ = tree.before(piece.first + piece.targets);
  }

  /// Starts to copy the next batch. By the whole warp.
  __device__ __forceinline__ void start_batch() {
    for (std::uint32_t room = near_batch; room > 0 && left_ > 0;) {
      if (from_ == to_) next_run();
      const std::uint32_t count = min(min(to_ - from_, room), min(left_, 32U));
      if (lane_ < count) {
        const auto* const body = reinterpret_cast<const Sixteen*>(tree_.source + from_ + lane_);
        const std::uint32_t place = (copied_ + lane_) % near_ring;
        start_copy(&ring_.xy[place], body), start_copy(&ring_.zw[place], body + 1);
      }
      if (from_ < own_end_ && own_begin_ < from_ + count) shift_ = copied_ - from_, last_own_ = copied_ + count;
      from_ += count, copied_ += count, room -= count, left_ -= count;
    }
    end_group();
  }
  /// What is added to a source of the leaf itself to give its number, modulo 2³². Known once its batch is copied.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t shift_of_own() const { return shift_; }
  /// Whether targets may be among the sources that are copied, from the number `begin` on.
  [[nodiscard]] __device__ __forceinline__ bool may_be_own(std::uint32_t begin) const {
    return last_own_ != 0 && last_own_ > begin;
  }

 private:
  /// Cells that follow each other in the order of bodies are one run.
  __device__ __forceinline__ void next_run() {
    if (heads_ == 0) {
      const std::uint32_t entry = entries_ + lane_;
      cells_ = min(32U, piece_.entries - entries_);
      entries_ += cells_;
      begin_ = end_ = 0;
      if (lane_ < cells_) {
        const TreeCell cell = tree_.cell[tree_.list[piece_.list + entry]];
        begin_ = tree_.before(cell.begin), end_ = tree_.before(cell.end);
      }
      const std::uint32_t before = __shfl_up_sync(~0U, end_, 1);
      heads_ = __ballot_sync(~0U, lane_ < cells_ && (lane_ == 0 || before != begin_));
    }
    const int head = __ffs(static_cast<int>(heads_)) - 1;
    heads_ &= heads_ - 1;
    const int last = heads_ == 0 ? static_cast<int>(cells_) - 1 : __ffs(static_cast<int>(heads_)) - 2;
    from_ = __shfl_sync(~0U, begin_, head) + skipped_, to_ = __shfl_sync(~0U, end_, last);
    skipped_ = 0;
  }

  const TreeOfForce& tree_;
  const TreePiece& piece_;
  NearRing& ring_;
  unsigned lane_ = threadIdx.x % 32;
  std::uint32_t left_, skipped_, copied_ = 0;
  std::uint32_t from_ = 0, to_ = 0;                              ///< the rest of the present run
  std::uint32_t entries_ = 0, cells_ = 0, begin_ = 0, end_ = 0;  ///< of up to 32 cells, one a lane
  unsigned heads_ = 0;                 ///< lanes whose cells begin a run that is still to come
  std::uint32_t own_begin_, own_end_;  ///< the targets among the sources
  std::uint32_t shift_ = 0, last_own_ = 0;
};

/// Up to 4·R targets.
template <class Law, Outputs outputs, int R>
__device__ __forceinline__ void meet_sources(const TreeOfForce& tree, const TreePiece& piece, NearRing& ring) {
  const Eight eight;
  const unsigned slot = threadIdx.x % 32 / static_cast<unsigned>(tree::lanes);
  const Law law(tree.numbers);
  const Real softening2(tree.softening2);
  Triple<Real> at[R];
  Sums<Real, outputs> sum[R];
  std::uint32_t own[R];
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const std::uint32_t k = slot + targets_at_once * r, j = piece.first + min(k, piece.targets - 1);
    const TreePoint body = tree.body[j];
    at[r] = {Real(body.x), Real(body.y), Real(body.z)};
    own[r] = body.w != 0 ? tree.before(j) : no_source;
  }
  NearSources sources(tree, piece, ring);
  sources.start_batch();
  for (std::uint32_t begin = 0; begin < piece.sources; begin += near_batch) {
    const std::uint32_t end = min(begin + near_batch, piece.sources), shift = sources.shift_of_own();
    const bool has_own = sources.may_be_own(begin);
    sources.start_batch();
    wait_for_copies<1>();
    __syncwarp();
    const auto meet = [&](std::uint32_t number, const auto& counts) {
      const Sixteen xy = ring.xy[number % near_ring], zw = ring.zw[number % near_ring];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        const Triple<Real> d{Real(xy.low) - at[r].x, Real(xy.high) - at[r].y, Real(zw.low) - at[r].z};
        Pair<Real, outputs> pair(law, d, softening2, [] { return Triple<Real>{}; });
        pair.mask([&](Real x) { return select(counts(r), x); });
        sum[r].add_to_i(pair, Real(zw.high));
      }
    };
    if (has_own) {
#pragma unroll 1
      for (std::uint32_t number = begin + eight.lane; number < end; number += tree::lanes)
        meet(number, [&](int r) { return own[r] == no_source || number != own[r] + shift; });
    } else {
#pragma unroll(R < 3 ? 2 : 1)
      for (std::uint32_t number = begin + eight.lane; number < end; number += tree::lanes)
        meet(number, [](int) { return true; });
    }
    __syncwarp();
  }
  wait_for_copies<0>();
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const std::uint32_t k = slot + targets_at_once * r;
    sum[r].each([&](std::size_t q, Real partial) {
      const Real all = eight.fold(partial);
      if (eight.lane == q && k < piece.targets) tree.sums[piece.sums + q * piece.row + k] = all.value;
    });
  }
}

template <class Law, Outputs outputs>
__global__ void __launch_bounds__(near_block, near_at_once)
    near_kernel(const __grid_constant__ TreeOfForce tree, const std::uint32_t pieces) {
  __shared__ NearRing rings[near_warps];
  NearRing& ring = rings[threadIdx.x / 32];
  for (;;) {
    std::uint32_t i = 0;
    if (threadIdx.x % 32 == 0) i = atomicAdd(&tree.control->walk.ticket[1], 1U);
    i = __shfl_sync(~0U, i, 0);
    if (i >= pieces) return;
    const TreePiece piece = tree.piece[i];
    static_assert(most_targets == 6 * targets_at_once);
    switch ((piece.targets + targets_at_once - 1) / targets_at_once) {
      case 1:
        meet_sources<Law, outputs, 1>(tree, piece, ring);
        break;
      case 2:
        meet_sources<Law, outputs, 2>(tree, piece, ring);
        break;
      case 3:
        meet_sources<Law, outputs, 3>(tree, piece, ring);
        break;
      case 4:
        meet_sources<Law, outputs, 4>(tree, piece, ring);
        break;
      case 5:
        meet_sources<Law, outputs, 5>(tree, piece, ring);
        break;
      default:
        meet_sources<Law, outputs, 6>(tree, piece, ring);
        break;
    }
  }
}

}  // namespace orrery::sim::cuda
