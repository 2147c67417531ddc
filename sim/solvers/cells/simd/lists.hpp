// SPDX-License-Identifier: MIT
// Neighbour lists and sums over them, one body per lane. Included only by short_range.cpp.
#pragma once

#include "sim/arithmetic.hpp"
#include "sim/solvers/cells/simd/tiles.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

template <class T, size_t D>
void list(const CellBodies<T>& bodies, PairRoom<T>& room, size_t begin, size_t end, ListRoom& lists) {
  constexpr size_t w = width<T>;
  const Search<T, D> search(bodies, begin, end);
  View<T, D> view(bodies, room);
  const auto padding = static_cast<std::uint32_t>(4 * bodies.n);
  size_t at = 0;
  for (size_t first = begin; first < end; first += w) {
    bool images = false;
    size_t ends[w], found = 0, longest = 0;
    for (size_t lane = 0; lane < w; ++lane) {
      const size_t before = found;
      if (first + lane < end) found = search.append(view, first + lane, found, images);
      ends[lane] = found;
      if (longest < found - before) longest = found - before;
    }
    if (at + longest * w > lists.size) lists.grow(lists, at + longest * w);
    std::uint32_t* const entries = lists.entries + at;
    for (size_t lane = 0, from = 0; lane < w; from = ends[lane++]) {
      const size_t length = ends[lane] - from;
      for (size_t k = 0; k < length; ++k) entries[k * w + lane] = static_cast<std::uint32_t>(4 * view.others[from + k]);
      for (size_t k = length; k < longest; ++k) entries[k * w + lane] = padding;
    }
    lists.lengths[(first - begin) / w] = static_cast<std::uint32_t>(2 * longest + (images ? 1 : 0));
    at += longest * w;
  }
}

/// The positions of one body per lane, from x, y, z, 0 of each.
template <class T>
struct Points {
  Lanes<T> x, y, z;

  HWY_INLINE Points(const T* woven, const std::uint32_t* at) {
#if HWY_TARGET <= HWY_AVX3 && HWY_TARGET != HWY_SCALAR && HWY_ARCH_X86
    if constexpr (sizeof(T) == 8) {
      const auto two = [&](size_t low, size_t high) HWY_ATTR {
        return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(woven + at[low])),
                                  _mm256_load_pd(woven + at[high]), 1);
      };
      const __m512d a = two(0, 2), b = two(1, 3), c = two(4, 6), d = two(5, 7);
      const __m512d ab = _mm512_unpacklo_pd(a, b), cd = _mm512_unpacklo_pd(c, d);
      x.v[0].raw = _mm512_shuffle_f64x2(ab, cd, 0x88);
      y.v[0].raw = _mm512_shuffle_f64x2(_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d), 0x88);
      z.v[0].raw = _mm512_shuffle_f64x2(ab, cd, 0xdd);
    } else {
      const auto four = [&](size_t k) HWY_ATTR {
        const auto one = [&](size_t lane) HWY_ATTR { return _mm_load_ps(woven + at[lane]); };
        __m512 all = _mm512_castps128_ps512(one(k));
        all = _mm512_insertf32x4(all, one(k + 4), 1);
        all = _mm512_insertf32x4(all, one(k + 8), 2);
        return _mm512_insertf32x4(all, one(k + 12), 3);
      };
      const __m512 a = four(0), b = four(1), c = four(2), d = four(3);
      const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(a, b)), cd = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
      x.v[0].raw = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
      y.v[0].raw = _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd));
      z.v[0].raw = _mm512_castpd_ps(
          _mm512_unpacklo_pd(_mm512_castps_pd(_mm512_unpackhi_ps(a, b)), _mm512_castps_pd(_mm512_unpackhi_ps(c, d))));
    }
#elif HWY_TARGET == HWY_AVX2
    if constexpr (sizeof(T) == 8) {
      const auto one = [&](size_t lane) HWY_ATTR { return _mm256_load_pd(woven + at[lane]); };
      const __m256d a = one(0), b = one(1), c = one(2), d = one(3);
      const __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
      x.v[0].raw = _mm256_permute2f128_pd(ab, cd, 0x20);
      y.v[0].raw = _mm256_permute2f128_pd(_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d), 0x20);
      z.v[0].raw = _mm256_permute2f128_pd(ab, cd, 0x31);
    } else {
      const auto two = [&](size_t k) HWY_ATTR {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(woven + at[k])), _mm_load_ps(woven + at[k + 4]),
                                    1);
      };
      const __m256 a = two(0), b = two(1), c = two(2), d = two(3);
      const __m256d ab = _mm256_castps_pd(_mm256_unpacklo_ps(a, b)), cd = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
      x.v[0].raw = _mm256_castpd_ps(_mm256_unpacklo_pd(ab, cd));
      y.v[0].raw = _mm256_castpd_ps(_mm256_unpackhi_pd(ab, cd));
      z.v[0].raw = _mm256_castpd_ps(
          _mm256_unpacklo_pd(_mm256_castps_pd(_mm256_unpackhi_ps(a, b)), _mm256_castps_pd(_mm256_unpackhi_ps(c, d))));
    }
#else
    HWY_ALIGN T all[3][width<T>];
    for (size_t lane = 0; lane < width<T>; ++lane) {
      for (size_t q = 0; q < 3; ++q) all[q][lane] = woven[at[lane] + q];
    }
    x = Lanes<T>::load(all[0]), y = Lanes<T>::load(all[1]), z = Lanes<T>::load(all[2]);
#endif
  }
};

/// Sums over the lists of a vector of bodies.
template <class Law, class T, size_t D, Outputs outputs, bool images>
HWY_INLINE void sum_group(const CellBodies<T>& b, const std::uint32_t* entries, size_t length, size_t i, size_t at,
                          T* const* sums) {
  using Real = Lanes<T>;
  const Law law(b.parameters);
  const Real cutoff2(hn::Set(Tag<T>(), b.cutoff2));
  const Real x = Real::load(b.x[0] + i), y = Real::load(b.x[1] + i), z = D == 3 ? Real::load(b.x[2] + i) : Real();
  Real ax, ay, az, potential, virial;
  for (size_t k = 0; k < length; ++k) {
    const Points<T> there(b.woven, entries + k * width<T>);
    Real dx = there.x - x, dy = there.y - y, dz = there.z - z;
    if constexpr (images) {
      dx = nearest(dx, b.period[0], b.half[0]), dy = nearest(dy, b.period[1], b.half[1]);
      if constexpr (D == 3) dz = nearest(dz, b.period[2], b.half[2]);
    }
    const Real r2 = square_of<D>(dx, dy, dz);
    typename Real::Mask near;
    near.m[0] = hn::Le(r2.v[0], cutoff2.v[0]);
    const Real c = law.force_over_r(r2);
    ax = select(near, fma(c, dx, ax), ax), ay = select(near, fma(c, dy, ay), ay);
    if constexpr (D == 3) az = select(near, fma(c, dz, az), az);
    if constexpr (outputs == Outputs::potential) {
      potential = select(near, potential + law.u(r2), potential);
      virial = select(near, fma(c, r2, virial), virial);
    }
  }
  ax.store(sums[0] + at), ay.store(sums[1] + at);
  if constexpr (D == 3) az.store(sums[2] + at);
  if constexpr (outputs == Outputs::potential) potential.store(sums[3] + at), virial.store(sums[4] + at);
}

template <class Law, class T, size_t D, Outputs outputs>
void sum_listed(const CellBodies<T>& bodies, const ListRoom& lists, size_t begin, size_t end, T* const* sums) {
  constexpr size_t w = width<T>;
  const std::uint32_t* entries = lists.entries;
  for (size_t i = begin; i < end; i += w) {
    const std::uint32_t coded = lists.lengths[(i - begin) / w], length = coded / 2;
    if (coded % 2 == 0) {
      sum_group<Law, T, D, outputs, false>(bodies, entries, length, i, i - begin, sums);
    } else {
      sum_group<Law, T, D, outputs, true>(bodies, entries, length, i, i - begin, sums);
    }
    entries += length * w;
  }
}

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
