// SPDX-License-Identifier: MIT
// Who is within the cutoff of one body: runs of slots, looked through a vector at a time; for short_range.cpp alone.
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

/// The body whose neighbours are looked for, and all that the loop over slots reads: what it writes might be part of whatever is
/// not a copy of its own.
template <class T, size_t D>
struct Sight {
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
template <class T>
HWY_INLINE std::int32_t line_of(const CellGrid<T>& grid, size_t q, T x) {
  return hn::GetLane(line<T>(grid, q, hn::Set(Tag<T>(), x)));
}
template <class T>
Lines lines(const CellBodies<T>& b, size_t q, T x) {
  Lines all;
  const T far = b.reach + b.slack * (x < 0 ? -x : x);
  const auto ask = [&](T at) HWY_ATTR {
    std::int32_t first = line_of(b.grid, q, at - far);
    const std::int32_t last = line_of(b.grid, q, at + far);
    if (all.count > 0 && first <= all.last[all.count - 1]) first = all.last[all.count - 1] + 1;
    if (first > last) return;
    all.first[all.count] = first;
    all.last[all.count++] = last;
  };
  const T period = b.period[q];
  if (period > 0 && (b.everywhere || !(x - period + far < b.grid.low[q]))) ask(x - period);
  ask(x);
  if (period > 0 && (b.everywhere || !(x + period - far > b.high[q]))) ask(x + period);
  return all;
}

/// Appends the neighbours of body i among all images, over as many rows as it takes.
template <class T, size_t D>
HWY_NOINLINE size_t look_around(Sight<T, D>& sight, size_t i, size_t found) {
  const CellBodies<T>& b = sight.b;
  Lines along[3];
  for (size_t q = 0; q < D; ++q) along[q] = lines(b, q, b.x[q][i]);
  if (D == 2) along[2].count = 1, along[2].first[0] = along[2].last[0] = 0;
  for (size_t c = 0; c < along[2].count; ++c) {
    for (std::int32_t z = along[2].first[c]; z <= along[2].last[c]; ++z) {
      for (size_t e = 0; e < along[1].count; ++e) {
        for (std::int32_t y = along[1].first[e]; y <= along[1].last[e]; ++y) {
          const std::uint32_t* row = b.start + (D == 3 ? z * b.grid.step[2] : 0) + y * b.grid.step[1];
          for (size_t a = 0; a < along[0].count; ++a)
            found = sight.template scan<true>(row[along[0].first[a]], row[along[0].last[a] + 1], found);
        }
      }
    }
  }
  return found;
}

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
