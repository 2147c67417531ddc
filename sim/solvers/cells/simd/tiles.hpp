// SPDX-License-Identifier: MIT
// Pairs of a block of bodies in a plane: eight in a row at a time, next to each other, against all that may be near one of them;
// for short_range.cpp alone.
//
// Each candidate is a byte: which of the eight are within the cutoff of it. Turned around, these are a number for each of the
// eight, a bit a candidate.
#pragma once

#include "sim/solvers/cells/simd/search.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

template <class T>
class Search<T, 2> {
 public:
  using View = Sight<T, 2>;

  Search(const CellBodies<T>& bodies, size_t begin, size_t end) : b_(bodies), begin_(begin) {
    const size_t up = static_cast<size_t>(b_.grid.step[1]);
    size_t row = row_of(begin), tile = 0;
    for (size_t i = begin; i < end; ++tile) {
      while (b_.start[(row + 1) * up] <= i) ++row;
      const size_t row_end = b_.start[(row + 1) * up], last = row_end < end ? row_end : end;
      const size_t count = last - i < eight ? last - i : eight;
      const bool plain = look(row, i, count, slots_ + tile * room_of_tile);
      for (size_t k = 0; k < count; ++k) tile_[i + k - begin] = plain ? static_cast<std::int16_t>(tile) : alone;
      i += count;
    }
  }

  HWY_INLINE size_t append(View& view, size_t i, size_t found, bool& images) const {
    const size_t before = found;
    const std::int16_t tile = tile_[i - begin_];
    if (HWY_UNLIKELY(tile == alone)) {
      view.stand_at(i);
      found = look_around(view, i, found);
      images = true;
    } else {
      if (HWY_UNLIKELY(found + most > view.size)) view.widen(found + most);
      const std::uint32_t* const slots = slots_ + static_cast<size_t>(tile) * room_of_tile;
      for (std::uint64_t near = near_[i - begin_]; near != 0; near &= near - 1) {
        view.bodies[found] = static_cast<typename View::Index>(i);
        view.others[found++] = static_cast<typename View::Index>(slots[hwy::Num0BitsBelowLS1Bit_Nonzero64(near)]);
      }
    }
    if (found - before > 1) put_in_order(view.room, before, found, b_.id);
    return found;
  }

  size_t find(View& view, size_t& next, size_t end, size_t enough, bool& images) const {
    // Those who have neighbours at all, so that no branch has to guess.
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
  static constexpr size_t eight = 8;
  /// Candidates of a tile; where there are more, its bodies look for themselves.
  static constexpr size_t most = 64, room_of_tile = most + 16;
  static constexpr std::int16_t alone = -1;
  using Part = hn::CappedTag<T, eight>;
  static constexpr size_t lanes = hn::MaxLanes(Part()), parts = eight / lanes;

  /// The row that a slot is in.
  [[nodiscard]] size_t row_of(size_t slot) const {
    const size_t up = static_cast<size_t>(b_.grid.step[1]);
    size_t low = 0, high = static_cast<size_t>(b_.grid.last[1]) + 1;  // in rows low … high − 1
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (b_.start[middle * up] <= slot ? low : high) = middle;
    }
    return low;
  }

  /// Whom bodies i … i + count − 1 of that row are near to; false where that is not to be found out so.
  HWY_INLINE bool look(size_t row, size_t i, size_t count, std::uint32_t* slots) {
    const Part d;
    using Vec = hn::Vec<Part>;
    Vec x[parts], y[parts];
    const Vec endless = hn::Inf(d);
    Vec low = endless, high = hn::Neg(endless);
    bool inside = true;
    for (size_t p = 0; p < parts; ++p) {
      const size_t left = count > p * lanes ? count - p * lanes : 0;
      const auto there = hn::FirstN(d, left < lanes ? left : lanes);
      x[p] = hn::LoadU(d, b_.x[0] + i + p * lanes), y[p] = hn::LoadU(d, b_.x[1] + i + p * lanes);
      const auto size = hn::Abs(x[p]), far = hn::Add(hn::Set(d, b_.reach), hn::Mul(hn::Set(d, b_.slack), size));
      const auto fine = hn::And(there, hn::Lt(size, endless));
      low = hn::Min(low, hn::IfThenElse(fine, hn::Sub(x[p], far), endless));
      high = hn::Max(high, hn::IfThenElse(fine, hn::Add(x[p], far), hn::Neg(endless)));
      if (b_.joined) {
        const auto in_x =
            hn::And(hn::Ge(x[p], hn::Set(d, b_.inner_low[0])), hn::Le(x[p], hn::Set(d, b_.inner_high[0])));
        const auto in_y =
            hn::And(hn::Ge(y[p], hn::Set(d, b_.inner_low[1])), hn::Le(y[p], hn::Set(d, b_.inner_high[1])));
        inside = inside && hn::AllFalse(d, hn::AndNot(hn::And(in_x, in_y), there));
      }
    }
    for (size_t k = 0; k < count; ++k) near_[i - begin_ + k] = ~std::uint64_t{0};
    if (!inside) return false;
    const size_t up = static_cast<size_t>(b_.grid.step[1]);
    const auto first = static_cast<size_t>(line_of(b_.grid, 0, hn::GetLane(hn::MinOfLanes(d, low))));
    const auto last = static_cast<size_t>(line_of(b_.grid, 0, hn::GetLane(hn::MaxOfLanes(d, high))));
    if (first > last) {
      for (size_t k = 0; k < count; ++k) near_[i - begin_ + k] = 0;
      return true;
    }
    size_t candidates = 0, self = 0;
    for (size_t r = row > 0 ? row - 1 : 0; r <= row + 1; ++r) {  // behind the last row is an empty one
      const std::uint32_t begin = b_.start[r * up + first], end = b_.start[r * up + last + 1];
      if (candidates + (end - begin) > most) return false;
      if (r == row) self = candidates + i - begin;
      const Tag<std::uint32_t> slot;
      const auto ascending = hn::Iota(slot, 0);
      for (std::uint32_t j = begin; j < end; j += static_cast<std::uint32_t>(width<std::uint32_t>)) {
        hn::StoreU(hn::Add(ascending, hn::Set(slot, j)), slot, slots + candidates + (j - begin));
      }
      candidates += end - begin;
    }
    for (size_t k = candidates; k < candidates + 4; ++k) slots[k] = static_cast<std::uint32_t>(b_.n);  // nobody
    HWY_ALIGN std::uint8_t bytes[most + 8] = {};
    const Vec cutoff2 = hn::Set(d, b_.cutoff2);
    for (size_t c = 0; c < candidates; c += 4) {
      for (size_t k = c; k < c + 4; ++k) bytes[k] = near_which(x, y, slots[k], cutoff2);
    }
    turn(bytes, candidates, count, near_ + (i - begin_));
    for (size_t k = 0; k < count && self + k < most; ++k) near_[i - begin_ + k] &= ~(std::uint64_t{1} << (self + k));
    return true;
  }

  HWY_INLINE std::uint8_t near_which(const hn::Vec<Part> (&x)[parts], const hn::Vec<Part> (&y)[parts],
                                     std::uint32_t slot, hn::Vec<Part> cutoff2) const {
    const Part d;
    unsigned all = 0;
    for (size_t p = 0; p < parts; ++p) {
      const auto dx = hn::Sub(hn::Set(d, b_.x[0][slot]), x[p]), dy = hn::Sub(hn::Set(d, b_.x[1][slot]), y[p]);
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

  /// Bit c of near[k] ← bit k of bytes[c]
  static HWY_INLINE void turn(const std::uint8_t* bytes, size_t candidates, size_t count, std::uint64_t* near) {
    std::uint64_t all[eight] = {};
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    for (size_t c = 0; c < candidates; c += 32) {
      __m256i eight_of = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes + c));
      for (size_t k = eight; k-- > 0; eight_of = _mm256_add_epi8(eight_of, eight_of)) {
        all[k] |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(eight_of))} << c;
      }
    }
#else
    for (size_t c = 0; c < candidates; ++c) {
      for (size_t k = 0; k < eight; ++k) all[k] |= std::uint64_t{bytes[c] >> k & 1U} << c;
    }
#endif
    for (size_t k = 0; k < count; ++k) near[k] = all[k];
  }

  const CellBodies<T>& b_;
  size_t begin_;
  std::uint64_t near_[cell_block];
  std::int16_t tile_[cell_block];
  std::uint32_t slots_[cell_block * room_of_tile];
};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
