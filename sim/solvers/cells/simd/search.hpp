// SPDX-License-Identifier: MIT
// The search for neighbours of one body, and in space for those of a block. Included only by short_range.cpp.
#pragma once

#include <array>

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/cells/simd/motion.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

#if HWY_TARGET == HWY_AVX2

/// For each mask of eight lanes the numbers of its lanes in order, four bits each.
constexpr auto places_of_eight = [] {
  std::array<std::uint32_t, 256> all{};
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    for (std::uint32_t lane = 0, to = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) all[mask] |= lane << 4 * to++;
    }
  }
  return all;
}();
/// The same for four lanes of 64 bits, as halves.
constexpr auto places_of_four = [] {
  std::array<std::uint32_t, 16> all{};
  for (std::uint32_t mask = 0; mask < 16; ++mask) {
    for (std::uint32_t lane = 0, to = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1) != 0) all[mask] |= (2 * lane | (2 * lane + 1) << 4) << 8 * to++;
    }
  }
  return all;
}();

#endif

/// Moves the `count` lanes of a mask to the front, in registers; the other lanes are undefined. Highway's own function
/// copies its table before it reads it, and compressing stores take some processors a hundred cycles.
template <class D>
HWY_INLINE hn::Vec<D> pack(D d, hn::Vec<D> v, hn::Mask<D> mask, std::size_t& count) {
#if HWY_TARGET <= HWY_AVX3 && HWY_TARGET != HWY_SCALAR && HWY_ARCH_X86
  count = hn::CountTrue(d, mask);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::Vec<D>{_mm512_maskz_compress_epi64(mask.raw, v.raw)};
  } else {
    return hn::Vec<D>{_mm512_maskz_compress_epi32(mask.raw, v.raw)};
  }
#elif HWY_TARGET == HWY_AVX2
  constexpr bool wide = sizeof(hn::TFromD<D>) == 8;
  const __m256i lanes = hn::VecFromMask(d, mask).raw;
  const auto bits = static_cast<unsigned>(wide ? _mm256_movemask_pd(_mm256_castsi256_pd(lanes))
                                               : _mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
  count = static_cast<std::size_t>(_mm_popcnt_u32(bits));
  const std::uint32_t from = wide ? places_of_four[bits & 15] : places_of_eight[bits & 255];
  const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  return hn::Vec<D>{
      _mm256_permutevar8x32_epi32(v.raw, _mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(from)), shifts))};
#else
  count = hn::CountTrue(d, mask);
  return hn::Compress(v, mask);
#endif
}

/// nearest_image of sim/domain.hpp.
template <class T>
HWY_INLINE Lanes<T> nearest(Lanes<T> d, T period, T half) {
  const Lanes<T> length(hn::Set(Tag<T>(), period)), middle(hn::Set(Tag<T>(), half)), low(hn::Set(Tag<T>(), -half));
  return select(less(middle, d), d - length, select(less(d, low), d + length, d));
}

/// fma(x, x, fma(y, y, z·z)), without z in two dimensions.
template <size_t D, class Real>
HWY_INLINE Real square_of(Real x, Real y, [[maybe_unused]] Real z) {
  if constexpr (D == 2) return fma(x, x, y * y);
  if constexpr (D == 3) return fma(x, x, fma(y, y, z * z));
}

/// Sorts by ascending id: few entries by insertion; up to 256 by counting the smaller ones of each.
template <class T>
HWY_INLINE void sort_by_id(PairRoom<T>& room, size_t begin, size_t end, const std::uint32_t* id) {
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

/// The search around one body, with copies of all that the loop over slots reads, which its stores cannot alias.
template <class T, size_t D>
struct View {
  using Index = typename PairRoom<T>::Index;
  using Indices = hn::RebindToSigned<Tag<T>>;
  using Real = Lanes<T>;

  const T *const xs, *const ys, *const zs;
  Index *bodies, *others;
  size_t size;
  const hn::Vec<Tag<T>> cutoff2;
  const hn::Vec<Indices> ascending;
  const CellBodies<T>& b;
  PairRoom<T>& room;
  Real x, y, z;
  hn::Vec<Indices> self;

  HWY_INLINE View(const CellBodies<T>& of, PairRoom<T>& in)
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
  /// Appends the slots [begin, end) within the cutoff; returns the new number of pairs.
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

/// Indices of cells along an axis: up to three disjoint intervals, for the body and its images.
struct Lines {
  size_t count = 0;
  std::int32_t first[3], last[3];
};
template <class T>
HWY_INLINE std::int32_t line_of(const CellGrid<T>& grid, size_t q, T x) {
  return hn::GetLane(line<T>(grid, q, hn::Set(Tag<T>(), x)));
}
template <class T>
Lines lines(const CellBodies<T>& b, size_t q, T x) {
  Lines all;
  const T far = b.reach + b.slack * (x < 0 ? -x : x);
  const auto add = [&](T at) HWY_ATTR {
    std::int32_t first = line_of(b.grid, q, at - far);
    const std::int32_t last = line_of(b.grid, q, at + far);
    if (all.count > 0 && first <= all.last[all.count - 1]) first = all.last[all.count - 1] + 1;
    if (first > last) return;
    all.first[all.count] = first;
    all.last[all.count++] = last;
  };
  const T period = b.period[q];
  if (period > 0 && (b.everywhere || !(x - period + far < b.grid.low[q]))) add(x - period);
  add(x);
  if (period > 0 && (b.everywhere || !(x + period - far > b.high[q]))) add(x + period);
  return all;
}

/// Appends the neighbours of body i among all images, over any number of rows.
template <class T, size_t D>
HWY_NOINLINE size_t search_images(View<T, D>& view, size_t i, size_t found) {
  const CellBodies<T>& b = view.b;
  Lines along[3];
  for (size_t q = 0; q < D; ++q) along[q] = lines(b, q, b.x[q][i]);
  if (D == 2) along[2].count = 1, along[2].first[0] = along[2].last[0] = 0;
  for (size_t c = 0; c < along[2].count; ++c) {
    for (std::int32_t z = along[2].first[c]; z <= along[2].last[c]; ++z) {
      for (size_t e = 0; e < along[1].count; ++e) {
        for (std::int32_t y = along[1].first[e]; y <= along[1].last[e]; ++y) {
          const std::uint32_t* row = b.start + (D == 3 ? z * b.grid.step[2] : 0) + y * b.grid.step[1];
          for (size_t a = 0; a < along[0].count; ++a)
            found = view.template scan<true>(row[along[0].first[a]], row[along[0].last[a] + 1], found);
        }
      }
    }
  }
  return found;
}

/// The search for neighbours of a block: in space each body scans four rows of cells; in a plane see tiles.hpp.
template <class T, size_t D>
class Search;

template <class T>
class Search<T, 3> {
 public:
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
    if (!b_.periodic) return;
    for (size_t i = begin; i < end; ++i) {
      bool inside = true;
      for (size_t q = 0; q < 3; ++q) inside = inside && b_.x[q][i] >= b_.inner_low[q] && b_.x[q][i] <= b_.inner_high[q];
      if (!inside) first_[i - begin] = -1;
    }
  }

  /// Appends the neighbours of body i by ascending id; returns the number of pairs. Sets `images` if there are any.
  HWY_INLINE size_t append(View<T, 3>& view, size_t i, size_t found, bool& images) const {
    const size_t before = found;
    const std::int32_t first = first_[i - begin_];
    view.stand_at(i);
    if (HWY_UNLIKELY(first < 0)) {
      found = search_images(view, i, found);
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
    if (found - before > 1) sort_by_id(view.room, before, found, b_.id);
    return found;
  }

  /// Finds pairs of bodies from `next` on until there are at least `enough` or no body is left; returns their number.
  size_t find(View<T, 3>& view, size_t& next, size_t end, size_t enough, bool& images) const {
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
