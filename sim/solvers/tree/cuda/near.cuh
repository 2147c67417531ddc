// SPDX-License-Identifier: MIT
// Near pairs: a warp a piece, four targets times eight lanes at once and several targets a thread. The sources of a
// segment come one after the other through a ring in shared memory, into which the next ones are copied meanwhile.
#pragma once

#include "sim/solvers/direct/pair.hpp"
#include "sim/solvers/tree/cuda/abreast.cuh"
#include "sim/solvers/tree/cuda/eight.cuh"
#include "sim/solvers/tree/cuda/rows.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned near_warps = 4, near_block = 32 * near_warps, near_at_once = 4;
/// Sources that are met before the next wait, and that the ring holds.
inline constexpr std::uint32_t near_batch = 64, near_ring = 2 * near_batch;
inline constexpr unsigned targets_at_once = 32 / static_cast<unsigned>(tree::lanes);
inline constexpr std::uint32_t no_source = ~0U;

/// Bodies in shared memory, in halves: lanes that read neighbours read from different banks. And a window of 32 cells.
struct NearRing {
  Sixteen xy[near_ring], zw[near_ring];
  std::uint32_t first[32];   ///< the number of the first source of each cell
  std::uint32_t source[32];  ///< what is added to a number to give the source
};

/// The sources of a piece in their order, numbered from 0.
class NearSources {
 public:
  __device__ __forceinline__ NearSources(const TreeOfForce& tree, const TreePiece& piece, NearRing& ring)
      : tree_(tree),
        piece_(piece),
        ring_(ring),
        xy_(shared_address(ring.xy)),
        zw_(shared_address(ring.zw)),
        own_(tree.before(piece.first)) {
    cell_ = id_of(lane_);
    load_ahead();
  }

  /// Starts to copy the next batch, by the whole warp.
  __device__ __forceinline__ void start_batch() {
    const std::uint32_t goal = min(copied_ + near_batch, piece_.sources);
    while (copied_ < goal) {
      if (copied_ == window_) next_window();
      const std::uint32_t end = min(goal, window_);
#pragma unroll
      for (std::uint32_t k = 0; k < near_batch; k += 32) {
        const std::uint32_t number = copied_ + k + lane_;
        if (number < end) copy(number);
      }
      copied_ = end;
    }
    end_group();
  }
  /// What is added to a source of the leaf itself to give its number, modulo 2³²; known before it is copied.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t shift_of_own() const {
    return shift_;
  }

 private:
  [[nodiscard]] __device__ __forceinline__ std::uint32_t id_of(std::uint32_t entry) const {
    return entry < piece_.entries ? tree_.list[piece_.list + entry] : no_cell;
  }
  /// Loads the bounds of the cells of the next window and the numbers of those of the one after it.
  __device__ __forceinline__ void load_ahead() {
    begin_ = end_ = 0;
    if (cell_ != no_cell) {
      const TreeCell cell = tree_.cell[cell_];
      begin_ = tree_.before(cell.begin), end_ = tree_.before(cell.end);
    }
    cell_ = id_of(entries_ + 32 + lane_);
  }
  __device__ __forceinline__ void next_window() {
    const std::uint32_t skipped = entries_ + lane_ == 0 ? piece_.skipped : 0;
    std::uint32_t sum = end_ - begin_ - skipped;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      const std::uint32_t other = __shfl_up_sync(~0U, sum, d);
      if (lane_ >= d) sum += other;
    }
    const std::uint32_t first = window_ + sum - (end_ - begin_ - skipped), source = begin_ + skipped - first;
    const unsigned own = __ballot_sync(~0U, begin_ <= own_ && own_ < end_);
    if (own != 0) shift_ = 0 - __shfl_sync(~0U, source, __ffs(static_cast<int>(own)) - 1);
    __syncwarp();
    ring_.first[lane_] = first, ring_.source[lane_] = source;
    window_ += __shfl_sync(~0U, sum, 31);
    __syncwarp();
    entries_ += 32;
    load_ahead();
  }
  __device__ __forceinline__ void copy(std::uint32_t number) {
    constexpr auto size = static_cast<std::uint32_t>(sizeof(Sixteen));
    unsigned cell = 0;  // the last one that begins at this number or before; empty ones come after all others
#pragma unroll
    for (unsigned step = 16; step > 0; step /= 2) cell += ring_.first[cell + step] <= number ? step : 0;
    const auto* const body = reinterpret_cast<const Sixteen*>(tree_.source + (number + ring_.source[cell]));
    const std::uint32_t place = number % near_ring * size;
    start_copy(xy_ + place, body), start_copy(zw_ + place, body + 1);
  }

  static constexpr std::uint32_t no_cell = ~0U;
  const TreeOfForce& tree_;
  const TreePiece& piece_;
  NearRing& ring_;
  unsigned lane_ = threadIdx.x % 32;
  std::uint32_t xy_, zw_;  ///< the ring
  std::uint32_t copied_ = 0;
  std::uint32_t window_ = 0;             ///< where the present window ends
  std::uint32_t entries_ = 0;            ///< of the list, in windows up to the present one
  std::uint32_t cell_, begin_, end_;     ///< of the window after the next one; of the next one
  std::uint32_t own_;                    ///< the first target among the sources, or the source after it
  std::uint32_t shift_ = no_source / 2;  ///< at first, of no number
};

/// The targets of a piece; a thread has every fourth of them.
template <class Law, Outputs outputs>
class NearTargets {
  static constexpr int most = static_cast<int>(max_targets / targets_at_once);

 public:
  __device__ __forceinline__ NearTargets(const TreeOfForce& tree, const TreePiece& piece)
      : law_(tree.parameters),
        softening2_(tree.softening2),
        rows_(static_cast<int>((piece.targets + targets_at_once - 1) / targets_at_once)) {
#pragma unroll
    for (int r = 0; r < most; ++r) {
      const std::uint32_t j = piece.first + min(slot_ + targets_at_once * r, piece.targets - 1);
      const TreePoint body = tree.body[j];
      at_.x.of[r] = Real(body.x), at_.y.of[r] = Real(body.y), at_.z.of[r] = Real(body.z);
      own_[r] = body.w != 0 ? tree.before(j) : no_source;
    }
  }

  /// Adds the action of sources begin … end − 1 in the ring. A body of the leaf has the number own + shift as a source.
  __device__ __forceinline__ void interact(const NearRing& ring, std::uint32_t begin, std::uint32_t end,
                                           std::uint32_t shift) {
    // A loop for each number of targets: all of them together have to fit the instruction cache.
    switch (rows_) {
      case 1:
        return interact<1>(ring, begin, end, shift);
      case 2:
        return interact<2>(ring, begin, end, shift);
      case 3:
        return interact<3>(ring, begin, end, shift);
      default:
        return interact<most>(ring, begin, end, shift);
    }
  }

  __device__ __forceinline__ void store(const TreeOfForce& tree, const TreePiece& piece) {
#pragma unroll
    for (int r = 0; r < most; ++r) {
      const std::uint32_t k = slot_ + targets_at_once * r;
      sum_.each([&](std::size_t q, const Abreast<most>& partial) {
        const Real all = Eight::fold_all(partial.of[r]);
        if (eight_.lane == q && k < piece.targets) tree.sums[piece.sums + q * piece.row + k] = all.value;
      });
    }
  }

 private:
  template <int R, int all>
  static __device__ __forceinline__ Abreast<R> first_of(const Abreast<all>& numbers) {
    return Abreast<R>::each([&](int r) { return r < all ? numbers.of[r] : Real(0.0); });
  }
  template <int R>
  __device__ __forceinline__ void interact(const NearRing& ring, std::uint32_t begin, std::uint32_t end,
                                           std::uint32_t shift) {
    std::uint32_t own[R];
#pragma unroll
    for (int r = 0; r < R; ++r) own[r] = own_[r] == no_source ? no_source : own_[r] + shift;
    const Triple<Abreast<R>> at{first_of<R>(at_.x), first_of<R>(at_.y), first_of<R>(at_.z)};
    const Abreast<R> softening2(softening2_);
    Sums<Abreast<R>, outputs> sum;
    sum.x = first_of<R>(sum_.x), sum.y = first_of<R>(sum_.y), sum.z = first_of<R>(sum_.z), sum.u = first_of<R>(sum_.u);
#pragma unroll(R < 3 ? 2 : 1)
    for (std::uint32_t number = begin + eight_.lane; number < end; number += tree::lanes) {
      const Sixteen xy = ring.xy[number % near_ring], zw = ring.zw[number % near_ring];
      const Triple<Abreast<R>> d{Abreast<R>(xy.low) - at.x, Abreast<R>(xy.high) - at.y, Abreast<R>(zw.low) - at.z};
      Pair<Abreast<R>, outputs> pair(law_, d, softening2, [] { return Triple<Abreast<R>>{}; });
      pair.mask([&](const Abreast<R>& x) {
        return Abreast<R>::each([&](int r) { return select(number != own[r], x.of[r]); });
      });
      sum.add_to_i(pair, Abreast<R>(zw.high));
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
      sum_.x.of[r] = sum.x.of[r], sum_.y.of[r] = sum.y.of[r], sum_.z.of[r] = sum.z.of[r];
      sum_.u.of[r] = sum.u.of[r];
    }
  }

  Law law_;
  double softening2_;
  Eight eight_;
  unsigned slot_ = threadIdx.x % 32 / static_cast<unsigned>(tree::lanes);
  int rows_;  ///< targets of a thread
  Triple<Abreast<most>> at_;
  Sums<Abreast<most>, outputs> sum_;
  std::uint32_t own_[most];  ///< their numbers as sources
};

template <class Law, Outputs outputs>
__global__ void __launch_bounds__(near_block, near_at_once)
    near_kernel(const __grid_constant__ TreeOfForce tree, const std::uint32_t pieces) {
  __shared__ NearRing rings[near_warps];
  NearRing& ring = rings[threadIdx.x / 32];
  static_assert(max_targets == 4 * targets_at_once);
  for (;;) {
    std::uint32_t i = 0;
    if (threadIdx.x % 32 == 0) i = atomicAdd(&tree.control->walk.ticket[1], 1U);
    i = __shfl_sync(~0U, i, 0);
    if (i >= pieces) return;
    const TreePiece piece = tree.piece[i];
    NearSources sources(tree, piece, ring);
    NearTargets<Law, outputs> targets(tree, piece);
    for (std::uint32_t batch = 0; batch <= (piece.sources + near_batch - 1) / near_batch; ++batch) {
      sources.start_batch();  // its copies proceed while the one before is met
      wait_for_copies<1>();
      __syncwarp();
      if (batch > 0)
        targets.interact(ring, (batch - 1) * near_batch, min(batch * near_batch, piece.sources),
                         sources.shift_of_own());
      __syncwarp();
    }
    wait_for_copies<0>();
    targets.store(tree, piece);
  }
}

}  // namespace orrery::sim::cuda
