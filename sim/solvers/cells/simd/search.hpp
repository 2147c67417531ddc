// SPDX-License-Identifier: MIT
// Who is within the cutoff of whom: pairs of a block of bodies, found in cells; for short_range.cpp alone.
#pragma once

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/cells/simd/motion.hpp"
#include "sim/solvers/cells/simd/pack.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

/// To the nearest image, as nearest_image of sim/domain.hpp has it.
template <class T>
HWY_INLINE Lanes<T> nearest(Lanes<T> d, T period, T half) {
  const Lanes<T> length(hn::Set(Tag<T>(), period)), middle(hn::Set(Tag<T>(), half)), low(hn::Set(Tag<T>(), -half));
  return select(less(middle, d), d - length, select(less(d, low), d + length, d));
}

/// fma(x, x, fma(y, y, z·z)), where z = 0 adds nothing.
template <size_t D, class Real>
HWY_INLINE Real square_of(Real x, Real y, [[maybe_unused]] Real z) {
  if constexpr (D == 2) return fma(x, x, y * y);
  if constexpr (D == 3) return fma(x, x, fma(y, y, z * z));
}

/// By ascending id: few of them go to their places one after the other; of more each counts who comes before it.
template <class T>
HWY_INLINE void put_in_order(PairRoom<T>& room, size_t begin, size_t end, const std::uint32_t* id) {
  auto* const j = room.j + begin;
  const size_t count = end - begin;
  constexpr size_t few = 6, many = 256;
  if (count > many) return room.sort(j, j + count, id);
  if (count <= few) {
    for (size_t k = 1; k < count; ++k) {
      const auto one = j[k];
      const std::uint32_t its = id[one];
      size_t to = k;
      for (; to > 0 && id[j[to - 1]] > its; --to) j[to] = j[to - 1];
      j[to] = one;
    }
    return;
  }
  const Tag<std::uint32_t> d;
  constexpr size_t w = width<std::uint32_t>;
  typename PairRoom<T>::Index sorted[many];
  HWY_ALIGN std::uint32_t ids[many + w];
  for (size_t k = 0; k < count; ++k) ids[k] = id[j[k]];
  hn::StoreU(hn::Set(d, ~std::uint32_t{0}), d, ids + count);
  for (size_t k = 0; k < count; ++k) {
    const auto its = hn::Set(d, ids[k]);
    size_t before = 0;
    for (size_t m = 0; m < count; m += w) before += hn::CountTrue(d, hn::Lt(hn::Load(d, ids + m), its));
    sorted[before] = j[k];
  }
  for (size_t k = 0; k < count; ++k) j[k] = sorted[k];
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

  /// Pairs of bodies from `next` on, in order, until there are enough of them or no body is left; `ends` says where those of each
  /// end.
  std::uint32_t ends[cell_block];
  size_t find(size_t& next, size_t end, size_t enough, bool& images) {
    size_t found = 0, i = next;
    const size_t up = static_cast<size_t>(b_.grid.step[1]), over = static_cast<size_t>(b_.grid.step[2]);
    const std::uint32_t *const start = b_.start, *const id = b_.id;
    Sight sight(b_, room_);
    for (; i < end && found < enough; ++i) {
      const size_t before = found;
      sight.stand_at(i);
      const std::int32_t first = first_[i - begin_];
      if (HWY_UNLIKELY(first < 0)) {
        found = look_around(sight, i, found);
        images = true;
      } else {
        const std::uint32_t* row = start + first;
        const size_t behind = static_cast<size_t>(span_[i - begin_]) + 1;
        found = sight.template scan<false>(row[0], row[behind], found);
        found = sight.template scan<false>(row[up], row[up + behind], found);
        if constexpr (D == 3) {
          found = sight.template scan<false>(row[over], row[over + behind], found);
          found = sight.template scan<false>(row[over + up], row[over + up + behind], found);
        }
      }
      if (found - before > 1) put_in_order(room_, before, found, id);
      ends[i - begin_] = static_cast<std::uint32_t>(found);
    }
    next = i;
    return found;
  }

 private:
  using Real = Lanes<T>;

  /// The body whose neighbours are looked for, and all that the loop over slots reads: what it writes might be part of whatever is
  /// not a copy of its own.
  struct Sight {
    const T *const xs, *const ys, *const zs;
    Index *bodies, *others;
    size_t size;
    const hn::Vec<Tag<T>> cutoff2;
    const hn::Vec<Indices> ascending;
    const CellBodies<T>& b;
    PairRoom<T>& room;
    Real x, y, z;
    hn::Vec<Indices> self;

    HWY_INLINE Sight(const CellBodies<T>& of, PairRoom<T>& in)
        : xs(of.x[0]),
          ys(of.x[1]),
          zs(of.x[2]),
          bodies(in.i),
          others(in.j),
          size(in.size),
          cutoff2(hn::Set(Tag<T>(), of.cutoff2)),
          ascending(hn::Iota(Indices(), 0)),
          b(of),
          room(in) {}
    HWY_INLINE void stand_at(size_t i) {
      x = Real(hn::Set(Tag<T>(), xs[i])), y = Real(hn::Set(Tag<T>(), ys[i]));
      if constexpr (D == 3) z = Real(hn::Set(Tag<T>(), zs[i]));
      self = hn::Set(Indices(), static_cast<Index>(i));
    }
    HWY_NOINLINE void widen(size_t pairs) {
      room.grow(room, pairs);
      bodies = room.i, others = room.j, size = room.size;
    }
    /// Those of the slots from `begin` to `end` that are near; the pairs are `found` then.
    template <bool images>
    HWY_INLINE size_t scan(std::uint32_t begin, std::uint32_t end, size_t found) {
      const Indices indices;
      const auto behind = hn::Set(indices, static_cast<Index>(end));
      for (size_t j = begin; j < end; j += width<T>) {
        if (HWY_UNLIKELY(found + width < T >> size)) widen(found + width<T>);
        const Real dx = apart<images>(xs + j, x, 0), dy = apart<images>(ys + j, y, 1);
        Real dz;
        if constexpr (D == 3) dz = apart<images>(zs + j, z, 2);
        const auto slots = hn::Add(ascending, hn::Set(indices, static_cast<Index>(j)));
        const auto near = hn::RebindMask(indices, hn::Le(square_of<D>(dx, dy, dz).v[0], cutoff2));
        const auto those = hn::And(near, hn::And(hn::Lt(slots, behind), hn::Ne(slots, self)));
        size_t more;
        hn::StoreU(pack(indices, slots, those, more), indices, others + found);
        hn::StoreU(self, indices, bodies + found);
        found += more;
      }
      return found;
    }
    template <bool images>
    HWY_INLINE Real apart(const T* there, Real here, [[maybe_unused]] size_t q) const {
      const Real d = Real::load(there) - here;
      if constexpr (images) return nearest(d, b.period[q], b.half[q]);
      return d;
    }
  };

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

  HWY_NOINLINE size_t look_around(Sight& sight, size_t i, size_t found) {
    Lines along[3];
    for (size_t q = 0; q < D; ++q) along[q] = lines(q, b_.x[q][i]);
    if (D == 2) along[2].count = 1, along[2].first[0] = along[2].last[0] = 0;
    for (size_t c = 0; c < along[2].count; ++c) {
      for (std::int32_t z = along[2].first[c]; z <= along[2].last[c]; ++z) {
        for (size_t b = 0; b < along[1].count; ++b) {
          for (std::int32_t y = along[1].first[b]; y <= along[1].last[b]; ++y) {
            const std::uint32_t* row = b_.start + (D == 3 ? z * b_.grid.step[2] : 0) + y * b_.grid.step[1];
            for (size_t a = 0; a < along[0].count; ++a)
              found = sight.template scan<true>(row[along[0].first[a]], row[along[0].last[a] + 1], found);
          }
        }
      }
    }
    return found;
  }

  const CellBodies<T>& b_;
  PairRoom<T>& room_;
  size_t begin_;
  HWY_ALIGN std::int32_t first_[cell_block + 64], span_[cell_block + 64];
};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
