// SPDX-License-Identifier: MIT
// Loops over bodies in a row: their cells, kicks and drifts; for short_range.cpp alone.
#pragma once

#include "sim/backends/simd/lanes.hpp"
#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

using std::size_t;

/// Whole numbers in lanes of 32 bits, as many as there are of T.
template <class T>
using NumberTag = hn::Rebind<std::int32_t, Tag<T>>;
template <class T>
HWY_INLINE hn::Vec<NumberTag<T>> cut_off(hn::Vec<Tag<T>> x) {
  if constexpr (sizeof(T) == 8) return hn::DemoteTo(NumberTag<T>(), x);
  if constexpr (sizeof(T) == 4) return hn::ConvertTo(NumberTag<T>(), x);
}

/// The number of a cell along an axis; a comparison with NaN is false, so that it has one too.
template <class T>
HWY_INLINE hn::Vec<NumberTag<T>> line(const CellGrid<T>& grid, size_t q, hn::Vec<Tag<T>> x) {
  const Tag<T> d;
  const auto last = hn::Set(d, grid.last[q]), zero = hn::Zero(d);
  auto at = hn::Mul(hn::Sub(x, hn::Set(d, grid.low[q])), hn::Set(d, grid.inverse[q]));
  at = hn::IfThenElse(hn::Lt(at, last), at, last);
  return cut_off<T>(hn::IfThenElse(hn::Lt(zero, at), at, zero));
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

template <class T>
void advance(T* to, const T* from, const T* by, T dt, size_t n) {
  using Real = Lanes<T>;
  const Real step(hn::Set(Tag<T>(), dt));
  size_t i = 0;
  for (; i + width<T> <= n; i += width<T>) fma(step, Real::load(by + i), Real::load(from + i)).store(to + i);
  if (i == n) return;
  // Behind the last body of a block others are at work.
  HWY_ALIGN T rest[width<T>];
  fma(step, Real::load(by + i), Real::load(from + i)).store(rest);
  for (size_t k = 0; i + k < n; ++k) to[i + k] = rest[k];
}

template <class T>
size_t outside(const T* x, T low, T high, size_t n, std::uint32_t* slots) {
  const Tag<T> d;
  size_t found = 0;
  for (size_t i = 0; i < n; i += width<T>) {
    const auto at = hn::LoadU(d, x + i);
    if (hn::AllTrue(d, hn::And(hn::Ge(at, hn::Set(d, low)), hn::Lt(at, hn::Set(d, high))))) continue;
    for (size_t k = i; k < n && k < i + width<T>; ++k) {
      if (!(x[k] >= low && x[k] < high)) slots[found++] = static_cast<std::uint32_t>(k);
    }
  }
  return found;
}

/// The greatest lane.
template <class T>
HWY_INLINE void widen_to(hn::Vec<Tag<T>> most, T& greatest) {
  HWY_ALIGN T all[width<T>];
  hn::Store(most, Tag<T>(), all);
  for (const T one : all) greatest = greatest < one ? one : greatest;
}

template <class T>
void fastest(const T* const* v, size_t dimensions, size_t n, T& component, T& square) {
  const Tag<T> d;
  auto most = hn::Zero(d), most_square = hn::Zero(d);
  for (size_t i = 0; i < n; i += width<T>) {
    auto sum = hn::Zero(d);
    for (size_t q = 0; q < dimensions; ++q) {
      auto speed = hn::Abs(hn::LoadU(d, v[q] + i));
      if (n - i < width<T>) speed = hn::IfThenElseZero(hn::FirstN(d, n - i), speed);
      sum = hn::Add(sum, hn::Mul(speed, speed));
      most = hn::IfThenElse(hn::And(hn::Lt(most, speed), hn::Lt(speed, hn::Inf(d))), speed, most);
    }
    most_square = hn::IfThenElse(hn::Lt(most_square, sum), sum, most_square);
  }
  widen_to<T>(most, component);
  widen_to<T>(most_square, square);
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
