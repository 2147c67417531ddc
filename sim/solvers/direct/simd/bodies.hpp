// SPDX-License-Identifier: MIT
// Bodies of a tile and of a group in the type of pair arithmetic. Included only by pairs.cpp.
#pragma once

#include <type_traits>

#include "sim/backends/simd/lanes.hpp"
#include "sim/pair_order.hpp"
#include "sim/precision.hpp"
#include "sim/solvers/direct/pair.hpp"
#include "sim/solvers/direct/simd/pairs.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {

/// Positions or velocities of `size` bodies.
template <class P, std::size_t size>
struct Coordinates {
  using T = typename P::Number;
  HWY_ALIGN T at[P::parts][3][size];

  /// Loads `count` bodies, rounded up to a whole vector, times `unit` in floats, `copies` times, `count` apart.
  template <std::size_t copies = 1>
  HWY_INLINE void load(const double* const (&from)[3], double unit, std::size_t begin, std::size_t count) {
    for (std::size_t k = 0; k < count; k += width<double>) {
      for (std::size_t q = 0; q < 3; ++q) {
        auto rest = hn::LoadU(Tag<double>(), from[q] + begin + k);
        if constexpr (P::floats) {
          rest = hn::Mul(rest, hn::Set(Tag<double>(), unit));
          for (std::size_t p = 0; p < P::parts; ++p) {
            const auto part = narrow(rest);
            for (std::size_t c = 0; c < copies; ++c) hn::StoreU(part, HalfTag(), at[p][q] + k + c * count);
            rest = hn::Sub(rest, widen(part));
          }
        } else {
          for (std::size_t c = 0; c < copies; ++c) hn::StoreU(rest, Tag<T>(), at[0][q] + k + c * count);
        }
      }
    }
  }
};

struct NoVelocities {};

/// Positions, weights and, for a jerk, velocities of `size` bodies.
template <class P, Outputs outputs, std::size_t size>
struct Places {
  using T = typename P::Number;
  Coordinates<P, size> x;
  [[no_unique_address]] std::conditional_t<outputs == Outputs::jerk, Coordinates<P, size>, NoVelocities> v;
  HWY_ALIGN T w[size];

  template <std::size_t copies = 1>
  HWY_INLINE void load(const ParticleView& f, std::size_t begin, std::size_t count) {
    x.template load<copies>(f.position, f.length, begin, count);
    if constexpr (outputs == Outputs::jerk) v.template load<copies>(f.velocity, 1, begin, count);
    for (std::size_t k = 0; k < count; k += width<double>) {
      const auto weight = hn::LoadU(Tag<double>(), f.source + begin + k);
      for (std::size_t c = 0; c < copies; ++c) {
        if constexpr (P::floats) {
          hn::StoreU(narrow(hn::Mul(weight, hn::Set(Tag<double>(), f.weight))), HalfTag(), w + k + c * count);
        } else {
          hn::StoreU(weight, Tag<T>(), w + k + c * count);
        }
      }
    }
  }
};

/// K vectors of positions or velocities. The difference of two in two parts is exact if they are close.
template <class P, std::size_t K>
struct Point {
  using Real = Lanes<typename P::Number, K, P::exact_root>;
  Real part[P::parts][3];

  template <std::size_t size>
  static HWY_INLINE Point load(const Coordinates<P, size>& from, std::size_t k) {
    Point x;
    for (std::size_t p = 0; p < P::parts; ++p) {
      for (std::size_t q = 0; q < 3; ++q) x.part[p][q] = Real::load(from.at[p][q] + k);
    }
    return x;
  }
  /// The same body in every lane.
  template <std::size_t size>
  static HWY_INLINE Point of_one(const Coordinates<P, size>& from, std::size_t k) {
    Point x;
    for (std::size_t p = 0; p < P::parts; ++p) {
      for (std::size_t q = 0; q < 3; ++q) x.part[p][q] = Real(hn::Set(Tag<typename P::Number>(), from.at[p][q][k]));
    }
    return x;
  }
  static HWY_INLINE Point load(const NoVelocities&, std::size_t) { return {}; }
  static HWY_INLINE Point of_one(const NoVelocities&, std::size_t) { return {}; }
  friend HWY_INLINE Triple<Real> operator-(const Point& a, const Point& b) {
    return {a.minus(b, 0), a.minus(b, 1), a.minus(b, 2)};
  }

 private:
  [[nodiscard]] HWY_INLINE Real minus(const Point& other, std::size_t q) const {
    const Real d = part[0][q] - other.part[0][q];
    if constexpr (P::parts == 2) return d + (part[1][q] - other.part[1][q]);
    return d;
  }
};

/// to[k] ← to[k] + from[k], or from[k] if `first`, in double; for a vector of T.
template <class T>
HWY_INLINE void accumulate(double* to, const T* from, bool first) {
  for (std::size_t k = 0; k < width<T>; k += width<double>) {
    Lanes<double> wide;
    if constexpr (sizeof(T) == sizeof(double)) {
      wide = Lanes<double>::load(from + k);
    } else {
      wide = Lanes<double>(widen(hn::LoadU(HalfTag(), from + k)));
    }
    (first ? wide : Lanes<double>::load(to + k) + wide).store(to + k);
  }
}

/// Loads and stores the vectors at k of sums in rows of `size` numbers.
template <class Real, Outputs outputs, class T, std::size_t size>
HWY_INLINE Sums<Real, outputs> load(const T (&rows)[outputs_per_body(outputs)][size], std::size_t k) {
  Sums<Real, outputs> sums;
  sums.each([&](std::size_t q, Real & one) HWY_ATTR __attribute__((always_inline)) { one = Real::load(rows[q] + k); });
  return sums;
}
template <class Real, Outputs outputs, class T, std::size_t size>
HWY_INLINE void store(Sums<Real, outputs>& sums, T (&rows)[outputs_per_body(outputs)][size], std::size_t k) {
  sums.each([&](std::size_t q, const Real& one) HWY_ATTR __attribute__((always_inline)) { one.store(rows[q] + k); });
}

/// A group of 32 bodies j, stored twice, so that the rotation by t is a contiguous load.
template <class P, Outputs outputs>
struct Group {
  using T = typename P::Number;
  Places<P, outputs, 2 * group_size> places;
  HWY_ALIGN T sum[outputs_per_body(outputs)][2 * group_size];

  HWY_INLINE void begin(const ParticleView& f, std::size_t j) {
    places.template load<2>(f, j, group_size);
    const Lanes<T> zero;
    for (auto& s : sum) {
      for (std::size_t k = 0; k < 2 * group_size; k += width<T>) zero.store(s + k);
    }
  }
  /// Copies the sum of body k to the upper half after step 31 − k, when it wraps around. Finally all sums are there.
  HWY_INLINE void carry(std::size_t t) {
    if (t > 0) {
      for (auto& s : sum) s[t + group_size - 1] = s[t - 1];
    }
  }
};

/// 128 bodies i, four per lane, and their sums.
template <class P, Outputs outputs>
struct Tile {
  using T = typename P::Number;
  Places<P, outputs, tile_size> places;
  HWY_ALIGN T sum[outputs_per_body(outputs)][tile_size];

  HWY_INLINE void begin(const ParticleView& f, std::size_t i) {
    places.load(f, i, tile_size);
    clear();
  }
  HWY_INLINE void clear() {
    const Lanes<T> zero;
    for (auto& s : sum) {
      for (std::size_t k = 0; k < tile_size; k += width<T>) zero.store(s + k);
    }
  }
};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
