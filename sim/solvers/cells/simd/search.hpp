// SPDX-License-Identifier: MIT
// Who is within the cutoff of whom: pairs of a block of bodies, found in cells; for short_range.cpp alone.
#pragma once

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/cells/simd/motion.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

/// To the nearest image, as nearest_image of sim/domain.hpp has it.
template <class T>
HWY_INLINE Lanes<T> nearest(Lanes<T> d, T period, T half) {
  const Lanes<T> length(hn::Set(Tag<T>(), period)), middle(hn::Set(Tag<T>(), half)), low(hn::Set(Tag<T>(), -half));
  return select(less(middle, d), d - length, select(less(d, low), d + length, d));
}

/// fma(x, x, fma(y, y, z·z)), where z = 0 adds nothing.
template <class T, size_t D>
HWY_INLINE Lanes<T> square_of(const Lanes<T> (&d)[D]) {
  if constexpr (D == 2) return fma(d[0], d[0], d[1] * d[1]);
  if constexpr (D == 3) return fma(d[0], d[0], fma(d[1], d[1], d[2] * d[2]));
}

/// By ascending id; few of them as a rule.
template <class T>
HWY_INLINE void put_in_order(PairRoom<T>& room, size_t begin, size_t end, const std::uint32_t* id) {
  auto* const j = room.j;
  if (end - begin > 32) return room.sort(j + begin, j + end, id);
  for (size_t k = begin + 1; k < end; ++k) {
    const auto one = j[k];
    const std::uint32_t its = id[one];
    size_t to = k;
    for (; to > begin && id[j[to - 1]] > its; --to) j[to] = j[to - 1];
    j[to] = one;
  }
}

template <class T, size_t D>
class Search {
 public:
  using Index = typename PairRoom<T>::Index;
  using Indices = hn::RebindToSigned<Tag<T>>;

  Search(const CellBodies<T>& bodies, PairRoom<T>& room, size_t begin, size_t end)
      : b_(bodies), room_(room), begin_(begin) {
    const Tag<T> d;
    const NumberTag<T> numbers;
    const auto reach = hn::Set(d, b_.reach), slack = hn::Set(d, b_.slack);
    for (size_t i = begin; i < end; i += width<T>) {
      auto first = hn::Zero(numbers), span = hn::Zero(numbers);
      for (size_t q = D; q-- > 0;) {
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
      for (size_t q = 0; q < D; ++q) inside = inside && b_.x[q][i] >= b_.inner_low[q] && b_.x[q][i] <= b_.inner_high[q];
      if (!inside) first_[i - begin] = -1;
    }
  }

  /// Appends the pairs of body i, in order; whether images come into them.
  bool find(size_t i) {
    const size_t before = found_;
    for (size_t q = 0; q < D; ++q) place_[q] = Lanes<T>(hn::Set(Tag<T>(), b_.x[q][i]));
    self_ = static_cast<Index>(i);
    const std::int32_t first = first_[i - begin_];
    const bool at_border = first < 0;
    if (at_border) {
      look_around(i);
    } else {
      const std::uint32_t* row = b_.start + first;
      const std::int32_t behind = span_[i - begin_] + 1;
      for (size_t plane = 0; plane < (D == 3 ? 2 : 1); ++plane, row += b_.grid.step[2]) {
        scan<false>(row[0], row[behind]);
        scan<false>(row[b_.grid.step[1]], row[b_.grid.step[1] + behind]);
      }
    }
    if (found_ - before > 1) put_in_order(room_, before, found_, b_.id);
    return at_border;
  }

  [[nodiscard]] size_t found() const { return found_; }
  void clear() { found_ = 0; }

 private:
  /// Those of the slots from `begin` to `end` that are near.
  template <bool images>
  HWY_INLINE void scan(std::uint32_t begin, std::uint32_t end) {
    const Indices indices;
    const auto self = hn::Set(indices, self_), behind = hn::Set(indices, static_cast<Index>(end));
    const auto cutoff2 = hn::Set(Tag<T>(), b_.cutoff2);
    for (size_t j = begin; j < end; j += width<T>) {
      if (found_ + width < T >> room_.size) room_.grow(room_, found_ + width<T>);
      Lanes<T> d[D];
      for (size_t q = 0; q < D; ++q) {
        d[q] = Lanes<T>::load(b_.x[q] + j) - place_[q];
        if constexpr (images) d[q] = nearest(d[q], b_.period[q], b_.half[q]);
      }
      const auto slots = hn::Iota(indices, static_cast<Index>(j));
      const auto near = hn::RebindMask(indices, hn::Le(square_of<T, D>(d).v[0], cutoff2));
      const auto those = hn::And(near, hn::And(hn::Lt(slots, behind), hn::Ne(slots, self)));
      hn::StoreU(hn::Compress(slots, those), indices, room_.j + found_);
      hn::StoreU(self, indices, room_.i + found_);
      found_ += hn::CountTrue(indices, those);
    }
  }

  /// Numbers of cells along an axis: up to three intervals that do not meet, for the body and its images.
  struct Lines {
    size_t count = 0;
    std::int32_t first[3], last[3];
  };
  HWY_INLINE std::int32_t line_of(size_t q, T x) const {
    return hn::GetLane(line<T>(b_.grid, q, hn::Set(Tag<T>(), x)));
  }
  Lines lines(size_t q, T x) const {
    Lines all;
    const T far = b_.reach + b_.slack * (x < 0 ? -x : x);
    const auto ask = [&](T at) HWY_ATTR {
      std::int32_t first = line_of(q, at - far);
      const std::int32_t last = line_of(q, at + far);
      if (all.count > 0 && first <= all.last[all.count - 1]) first = all.last[all.count - 1] + 1;
      if (first > last) return;
      all.first[all.count] = first;
      all.last[all.count++] = last;
    };
    const T period = b_.period[q];
    if (period > 0 && (b_.everywhere || !(x - period + far < b_.grid.low[q]))) ask(x - period);
    ask(x);
    if (period > 0 && (b_.everywhere || !(x + period - far > b_.high[q]))) ask(x + period);
    return all;
  }

  void look_around(size_t i) {
    Lines along[3];
    for (size_t q = 0; q < D; ++q) along[q] = lines(q, b_.x[q][i]);
    if (D == 2) along[2].count = 1, along[2].first[0] = along[2].last[0] = 0;
    for (size_t c = 0; c < along[2].count; ++c) {
      for (std::int32_t z = along[2].first[c]; z <= along[2].last[c]; ++z) {
        for (size_t b = 0; b < along[1].count; ++b) {
          for (std::int32_t y = along[1].first[b]; y <= along[1].last[b]; ++y) {
            const std::uint32_t* row = b_.start + (D == 3 ? z * b_.grid.step[2] : 0) + y * b_.grid.step[1];
            for (size_t a = 0; a < along[0].count; ++a) scan<true>(row[along[0].first[a]], row[along[0].last[a] + 1]);
          }
        }
      }
    }
  }

  const CellBodies<T>& b_;
  PairRoom<T>& room_;
  size_t begin_, found_ = 0;
  Lanes<T> place_[D];
  Index self_ = 0;
  HWY_ALIGN std::int32_t first_[cell_block + 64], span_[cell_block + 64];
};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
