// SPDX-License-Identifier: MIT
// Pairs of a block of bodies in space: each looks through the four rows of cells that its neighbours are in; for short_range.cpp
// alone.
#pragma once

#include "sim/solvers/cells/simd/around.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

template <class T, size_t D>
class Search;

template <class T>
class Search<T, 3> {
 public:
  using View = Sight<T, 3>;

  Search(const CellBodies<T>& bodies, size_t begin, size_t end) : b_(bodies), begin_(begin) {
    const Tag<T> d;
    const NumberTag<T> numbers;
    const auto reach = hn::Set(d, b_.reach), slack = hn::Set(d, b_.slack);
    for (size_t i = begin; i < end; i += width<T>) {
      auto first = hn::Zero(numbers), span = hn::Zero(numbers);
      for (size_t q = 3; q-- > 0;) {
        const auto x = hn::LoadU(d, b_.x[q] + i), far = hn::Add(reach, hn::Mul(slack, hn::Abs(x)));
        const auto low = line<T>(b_.grid, q, hn::Sub(x, far));
        first = hn::Add(first, hn::Mul(low, hn::Set(numbers, b_.grid.step[q])));
        if (q == 0) span = hn::Sub(line<T>(b_.grid, 0, hn::Add(x, far)), low);
      }
      hn::StoreU(first, numbers, first_ + (i - begin));
      hn::StoreU(span, numbers, span_ + (i - begin));
    }
    if (!b_.joined) return;
    for (size_t i = begin; i < end; ++i) {
      bool inside = true;
      for (size_t q = 0; q < 3; ++q) inside = inside && b_.x[q][i] >= b_.inner_low[q] && b_.x[q][i] <= b_.inner_high[q];
      if (!inside) first_[i - begin] = -1;
    }
  }

  /// Appends the neighbours of body i, in order; how many pairs there are then.
  HWY_INLINE size_t append(View& view, size_t i, size_t found, bool& images) const {
    const size_t before = found;
    const std::int32_t first = first_[i - begin_];
    view.stand_at(i);
    if (HWY_UNLIKELY(first < 0)) {
      found = look_around(view, i, found);
      images = true;
    } else {
      const size_t up = static_cast<size_t>(b_.grid.step[1]), over = static_cast<size_t>(b_.grid.step[2]);
      const size_t behind = static_cast<size_t>(span_[i - begin_]) + 1;
      const std::uint32_t* row = b_.start + first;
      found = view.template scan<false>(row[0], row[behind], found);
      found = view.template scan<false>(row[up], row[up + behind], found);
      found = view.template scan<false>(row[over], row[over + behind], found);
      found = view.template scan<false>(row[over + up], row[over + up + behind], found);
    }
    if (found - before > 1) put_in_order(view.room, before, found, b_.id);
    return found;
  }

  /// Pairs of bodies from `next` on until there are enough of them or no body is left.
  size_t find(View& view, size_t& next, size_t end, size_t enough, bool& images) const {
    size_t found = 0;
    for (; next < end && found < enough; ++next) found = append(view, next, found, images);
    return found;
  }

 private:
  const CellBodies<T>& b_;
  size_t begin_;
  HWY_ALIGN std::int32_t first_[cell_block + 64], span_[cell_block + 64];
};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
