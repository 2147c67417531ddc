// SPDX-License-Identifier: MIT
// The search for neighbours of a block in a plane: eight consecutive bodies of a row at a time against all candidates
// near one of them. Included only by short_range.cpp.
//
// Each candidate gives a byte, the mask of the bodies within its cutoff, transposed to a mask of candidates per body.
#pragma once

#include "sim/solvers/cells/simd/search.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

template <class T>
class Search<T, 2> {
 public:
  // Each stage for the whole block, so that independent tiles hide latencies.
  Search(const CellBodies<T>& bodies, size_t begin, size_t end) : b_(bodies), begin_(begin) {
    const size_t up = static_cast<size_t>(b_.grid.step[1]);
    size_t row = row_of(begin), count = 0;
    for (size_t i = begin; i < end; i += tiles_[count++].count) {
      while (b_.start[(row + 1) * up] <= i) ++row;
      const size_t row_end = b_.start[(row + 1) * up], last = row_end < end ? row_end : end;
      tiles_[count] = tile(row, i, last - i < eight ? last - i : eight);
    }
    for (size_t t = 0; t < count; ++t) {
      if (tiles_[t].candidates <= most) compute_masks(tiles_[t], t);
    }
    for (size_t t = 0; t < count; ++t) {
      const Tile& at = tiles_[t];
      const bool plain = at.candidates <= most;
      std::uint64_t near[eight];
      transpose(bytes_ + t * most, plain ? at.candidates : 0, near);
      for (size_t k = 0; k < at.count; ++k) {
        tile_[at.first + k - begin] = plain ? static_cast<std::int16_t>(t) : alone;
        near_[at.first + k - begin] =
            plain ? near[k] & ~(std::uint64_t{at.self + k < most} << (at.self + k) % most) : 1;
      }
    }
  }

  HWY_INLINE size_t append(View<T, 2>& view, size_t i, size_t found, bool& images) const {
    const size_t before = found;
    const std::int16_t tile = tile_[i - begin_];
    if (HWY_UNLIKELY(tile == alone)) {
      view.stand_at(i);
      found = search_images(view, i, found);
      images = true;
    } else {
      if (HWY_UNLIKELY(found + most > view.size)) view.widen(found + most);
      const std::uint32_t* const slots = slots_ + static_cast<size_t>(tile) * room_of_tile;
      for (std::uint64_t near = near_[i - begin_]; near != 0; near &= near - 1) {
        view.bodies[found] = static_cast<Index>(i);
        view.others[found++] = static_cast<Index>(slots[hwy::Num0BitsBelowLS1Bit_Nonzero64(near)]);
      }
    }
    if (found - before > 1) sort_by_id(view.room, before, found, b_.id);
    return found;
  }

  size_t find(View<T, 2>& view, size_t& next, size_t end, size_t enough, bool& images) const {
    // Bodies with neighbours, selected without branches.
    std::uint32_t busy[cell_block];
    size_t count = 0, found = 0;
    for (size_t i = next; i < end; ++i) {
      busy[count] = static_cast<std::uint32_t>(i);
      count += near_[i - begin_] != 0 ? 1 : 0;
    }
    for (size_t k = 0; k < count; ++k) {
      if (found >= enough) {
        next = busy[k];
        return found;
      }
      found = append(view, busy[k], found, images);
    }
    next = end;
    return found;
  }

 private:
  using Index = typename PairRoom<T>::Index;
  static constexpr size_t eight = 8;
  /// Maximum candidates of a tile; if there are more, each of its bodies searches on its own.
  static constexpr size_t most = 64, room_of_tile = most + 16;
  static constexpr std::int16_t alone = -1;
  using Part = hn::CappedTag<T, eight>;
  static constexpr size_t lanes = hn::MaxLanes(Part()), parts = eight / lanes;

  /// Returns the row of a slot.
  [[nodiscard]] size_t row_of(size_t slot) const {
    const size_t up = static_cast<size_t>(b_.grid.step[1]);
    size_t low = 0, high = static_cast<size_t>(b_.grid.last[1]) + 1;  // in rows low … high − 1
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (b_.start[middle * up] <= slot ? low : high) = middle;
    }
    return low;
  }

  /// Consecutive bodies of a row, and the slots of their candidates.
  struct Tile {
    std::uint32_t first, count, candidates, self;  ///< self: the candidate that is the first body
    std::uint32_t begin[3], end[3];
  };

  HWY_INLINE Tile tile(size_t row, size_t i, size_t count) const {
    const Part d;
    using Vec = hn::Vec<Part>;
    const Vec endless = hn::Inf(d);
    Vec low = endless, high = hn::Neg(endless);
    bool inside = true;
    for (size_t p = 0; p < parts; ++p) {
      const size_t left = count > p * lanes ? count - p * lanes : 0;
      const auto there = hn::FirstN(d, left < lanes ? left : lanes);
      const Vec x = hn::LoadU(d, b_.x[0] + i + p * lanes);
      const auto size = hn::Abs(x), far = hn::Add(hn::Set(d, b_.reach), hn::Mul(hn::Set(d, b_.slack), size));
      const auto fine = hn::And(there, hn::Lt(size, endless));
      low = hn::Min(low, hn::IfThenElse(fine, hn::Sub(x, far), endless));
      high = hn::Max(high, hn::IfThenElse(fine, hn::Add(x, far), hn::Neg(endless)));
      if (b_.periodic) {
        const Vec y = hn::LoadU(d, b_.x[1] + i + p * lanes);
        const auto in_x = hn::And(hn::Ge(x, hn::Set(d, b_.inner_low[0])), hn::Le(x, hn::Set(d, b_.inner_high[0])));
        const auto in_y = hn::And(hn::Ge(y, hn::Set(d, b_.inner_low[1])), hn::Le(y, hn::Set(d, b_.inner_high[1])));
        inside = inside && hn::AllFalse(d, hn::AndNot(hn::And(in_x, in_y), there));
      }
    }
    Tile all{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(count), 0, 0, {}, {}};
    const size_t up = static_cast<size_t>(b_.grid.step[1]);
    const auto first = static_cast<size_t>(line_of(b_.grid, 0, hn::GetLane(hn::MinOfLanes(d, low))));
    const auto last = static_cast<size_t>(line_of(b_.grid, 0, hn::GetLane(hn::MaxOfLanes(d, high))));
    // No row precedes the first one; an empty row follows the last one. If no body is finite, first > last.
    for (size_t r = row > 0 ? 0 : 1; r < 3 && first <= last; ++r) {
      const std::uint32_t* at = b_.start + (row + r - 1) * up;
      all.begin[r] = at[first], all.end[r] = at[last + 1];
      if (r == 1) all.self = all.candidates + all.first - all.begin[1];
      all.candidates += all.end[r] - all.begin[r];
    }
    if (!inside) all.candidates = most + 1;
    return all;
  }

  /// Computes the masks of a tile's candidates.
  HWY_INLINE void compute_masks(const Tile& at, size_t t) {
    const Tag<std::uint32_t> slot;
    const auto ascending = hn::Iota(slot, 0);
    std::uint32_t* const slots = slots_ + t * room_of_tile;
    std::uint32_t* to = slots;
    for (size_t r = 0; r < 3; ++r) {
      for (std::uint32_t j = at.begin[r]; j < at.end[r]; j += static_cast<std::uint32_t>(width<std::uint32_t>))
        hn::StoreU(hn::Add(ascending, hn::Set(slot, j)), slot, to + (j - at.begin[r]));
      to += at.end[r] - at.begin[r];
    }
    for (size_t k = 0; k < 4; ++k) to[k] = static_cast<std::uint32_t>(b_.n);  // padding
    const Part d;
    hn::Vec<Part> x[parts], y[parts];
    for (size_t p = 0; p < parts; ++p) {
      x[p] = hn::LoadU(d, b_.x[0] + at.first + p * lanes), y[p] = hn::LoadU(d, b_.x[1] + at.first + p * lanes);
    }
    const auto cutoff2 = hn::Set(d, b_.cutoff2);
    std::uint8_t* const bytes = bytes_ + t * most;
    const T *const xs = b_.x[0], *const ys = b_.x[1];  // copies, which stores to `bytes` cannot alias
    for (size_t c = 0; c < at.candidates; c += 4) {
      for (size_t k = c; k < c + 4; ++k) bytes[k] = near_mask(x, y, xs[slots[k]], ys[slots[k]], cutoff2);
    }
  }

  static HWY_INLINE std::uint8_t near_mask(const hn::Vec<Part> (&x)[parts], const hn::Vec<Part> (&y)[parts], T its_x,
                                           T its_y, hn::Vec<Part> cutoff2) {
    const Part d;
    unsigned all = 0;
    for (size_t p = 0; p < parts; ++p) {
      const auto dx = hn::Sub(hn::Set(d, its_x), x[p]), dy = hn::Sub(hn::Set(d, its_y), y[p]);
#if HWY_NATIVE_FMA
      const auto r2 = hn::MulAdd(dx, dx, hn::Mul(dy, dy));
#else
      const auto r2 = hn::Set(d, std::fma(hn::GetLane(dx), hn::GetLane(dx), hn::GetLane(hn::Mul(dy, dy))));
#endif
      std::uint8_t bits[8];
      hn::StoreMaskBits(d, hn::Le(r2, cutoff2), bits);
      all |= static_cast<unsigned>(bits[0]) << (p * lanes);
    }
    return static_cast<std::uint8_t>(all);
  }

  /// Bit c of near[k] ← bit k of bytes[c].
  static HWY_INLINE void transpose(const std::uint8_t* bytes, size_t candidates, std::uint64_t* near) {
    for (size_t k = 0; k < eight; ++k) near[k] = 0;
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    for (size_t c = 0; c < candidates; c += 32) {
      __m256i eight_of = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes + c));
      for (size_t k = eight; k-- > 0; eight_of = _mm256_add_epi8(eight_of, eight_of))
        near[k] |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(eight_of))} << c;
    }
#else
    for (size_t c = 0; c < candidates; ++c) {
      for (size_t k = 0; k < eight; ++k) near[k] |= std::uint64_t{bytes[c] >> k & 1U} << c;
    }
#endif
    const std::uint64_t those = candidates < most ? (std::uint64_t{1} << candidates) - 1 : ~std::uint64_t{0};
    for (size_t k = 0; k < eight; ++k) near[k] &= those;
  }

  const CellBodies<T>& b_;
  size_t begin_;
  Tile tiles_[cell_block];
  HWY_ALIGN std::uint8_t bytes_[cell_block * most];
  std::uint64_t near_[cell_block];
  std::int16_t tile_[cell_block];
  std::uint32_t slots_[cell_block * room_of_tile];
};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
