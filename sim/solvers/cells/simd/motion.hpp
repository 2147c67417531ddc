// SPDX-License-Identifier: MIT
// Loops over consecutive bodies: cells, kicks and drifts. Included only by short_range.cpp.
#pragma once

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using std::size_t;

/// Vectors of int32 with as many lanes as those of T.
template <class T>
using NumberTag = hn::Rebind<std::int32_t, Tag<T>>;
template <class T>
HWY_INLINE hn::Vec<NumberTag<T>> truncate(hn::Vec<Tag<T>> x) {
  if constexpr (sizeof(T) == 8) return hn::DemoteTo(NumberTag<T>(), x);
  if constexpr (sizeof(T) == 4) return hn::ConvertTo(NumberTag<T>(), x);
}

/// Returns the index of a cell along an axis, also for NaN, with which comparisons are false.
template <class T>
HWY_INLINE hn::Vec<NumberTag<T>> line(const CellGrid<T>& grid, size_t q, hn::Vec<Tag<T>> x) {
  const Tag<T> d;
  const auto last = hn::Set(d, grid.last[q]), zero = hn::Zero(d);
  auto at = hn::Mul(hn::Sub(x, hn::Set(d, grid.low[q])), hn::Set(d, grid.inverse[q]));
  at = hn::IfThenElse(hn::Lt(at, last), at, last);
  return truncate<T>(hn::IfThenElse(hn::Lt(zero, at), at, zero));
}

template <class T>
void place(const CellGrid<T>& grid, const T* const* x, size_t dimensions, size_t begin, size_t end,
           std::uint32_t* cell) {
  const NumberTag<T> numbers;
  const hn::RebindToUnsigned<NumberTag<T>> bits;
  for (size_t i = begin; i < end; i += width<T>) {
    auto at = hn::Zero(numbers);
    for (size_t q = 0; q < dimensions; ++q) {
      const auto along = line<T>(grid, q, hn::LoadU(Tag<T>(), x[q] + i));
      at = hn::Add(at, hn::Mul(along, hn::Set(numbers, grid.step[q])));
    }
    hn::StoreU(hn::BitCast(bits, at), bits, cell + (i - begin));
  }
}

template <class T>
void respond(T* a, T same, const T* own, size_t n) {
  using Real = Lanes<T>;
  for (size_t i = 0; i < n; i += width<T>) {
    const Real s = own != nullptr ? Real::load(own + i) : Real(hn::Set(Tag<T>(), same));
    (s * Real::load(a + i)).store(a + i);
  }
}

/// maximum ← max(maximum, lanes)
template <class T>
HWY_INLINE void raise_to_lanes(T& maximum, hn::Vec<Tag<T>> lanes) {
  HWY_ALIGN T all[width<T>];
  hn::Store(lanes, Tag<T>(), all);
  for (const T one : all) maximum = maximum < one ? one : maximum;
}

template <class T, size_t D>
size_t move_in(const Motion<T>& m, size_t n, Fastest<T>& fastest, std::uint32_t* outside) {
  using Real = Lanes<T>;
  const Tag<T> d;
  const Motion<T> motion = m;  // a copy, which the stores below cannot alias
  auto most = hn::Zero(d), max_square = hn::Zero(d);
  size_t found = 0;
  for (size_t i = 0; i < n; i += width<T>) {
    const bool whole = i + width<T> <= n;
    // Other threads write after the last body of a block.
    const auto put = [&](const Real& value, T* to) HWY_ATTR {
      if (HWY_LIKELY(whole)) return value.store(to + i);
      HWY_ALIGN T rest[width<T>];
      value.store(rest);
      for (size_t k = 0; i + k < n; ++k) to[i + k] = rest[k];
    };
    const auto there = hn::FirstN(d, whole ? width<T> : n - i);
    const Real s = motion.own != nullptr ? Real::load(motion.own + i) : Real(hn::Set(d, motion.same));
    auto square = hn::Zero(d);
    auto inside = hn::MaskFromVec(hn::BitCast(d, hn::Set(hn::RebindToUnsigned<Tag<T>>(), ~hwy::MakeUnsigned<T>{0})));
    for (size_t q = 0; q < D; ++q) {
      Real v = Real::load(motion.v[q] + i);
      if (motion.kick_count > 0) {
        const Real a = s * Real::load(motion.a[q] + i);
        for (size_t k = 0; k < motion.kick_count; ++k) v = fma(Real(hn::Set(d, motion.kicks[k])), a, v);
        put(v, motion.v[q]);
      }
      if (!motion.drifts) continue;
      const Real x = fma(Real(hn::Set(d, motion.dt)), v, Real::load(motion.x[q] + i));
      put(x, motion.to[q]);
      inside = hn::And(inside,
                       hn::And(hn::Ge(x.v[0], hn::Set(d, motion.low[q])), hn::Lt(x.v[0], hn::Set(d, motion.high[q]))));
      const auto speed = hn::IfThenElseZero(there, hn::Abs(v.v[0]));
      square = hn::Add(square, hn::Mul(speed, speed));
      most = hn::IfThenElse(hn::And(hn::Lt(most, speed), hn::Lt(speed, hn::Inf(d))), speed, most);
    }
    if (!motion.drifts) continue;
    max_square = hn::IfThenElse(hn::Lt(max_square, square), square, max_square);
    if (HWY_LIKELY(hn::AllFalse(d, hn::AndNot(inside, there)))) continue;
    for (size_t k = i; k < n && k < i + width<T>; ++k) {
      bool in = true;
      for (size_t q = 0; q < D; ++q) in = in && motion.to[q][k] >= motion.low[q] && motion.to[q][k] < motion.high[q];
      if (!in) outside[found++] = static_cast<std::uint32_t>(k);
    }
  }
  raise_to_lanes<T>(fastest.component, most);
  raise_to_lanes<T>(fastest.square, max_square);
  return found;
}

template <class T>
size_t move(const Motion<T>& motion, size_t dimensions, size_t n, Fastest<T>& fastest, std::uint32_t* outside) {
  return dimensions == 2 ? move_in<T, 2>(motion, n, fastest, outside) : move_in<T, 3>(motion, n, fastest, outside);
}

template <class T>
void weave(T* to, const T* const* x, size_t dimensions, size_t n) {
  const Tag<T> d;
  size_t i = 0;
  for (; i + width<T> <= n; i += width<T>) {
    const auto z = dimensions == 3 ? hn::LoadU(d, x[2] + i) : hn::Zero(d);
    hn::StoreInterleaved4(hn::LoadU(d, x[0] + i), hn::LoadU(d, x[1] + i), z, hn::Zero(d), d, to + 4 * i);
  }
  for (; i < n; ++i) {
    for (size_t q = 0; q < dimensions; ++q) to[4 * i + q] = x[q][i];
  }
}

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
