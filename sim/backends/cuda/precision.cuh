// SPDX-License-Identifier: MIT
// What differs between float64, mixed and float32: a body as a pair sees it, and the numbers that sums are made in.
#pragma once

#include <type_traits>

#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/real.cuh"
#include "sim/pair_order.hpp"

namespace orrery::sim::cuda {

inline constexpr unsigned lanes = group_size;

struct Float64 {
  using Number = double;
  using Real = cuda::Real;
  using ChunkSum = cuda::Real;            ///< of what a chunk does to a body, made of sums over spans
  static constexpr std::size_t span = 0;  ///< the sum runs through the whole chunk
  static constexpr bool has_rest = false;
  static constexpr int unroll = 4;
};

/// float32 with the GPU's approximate root, or with 1/√ rounded.
template <Root root>
struct Float32 {
  using Number = float;
  using Real = Single<root>;
  using ChunkSum = Single<root>;
  static constexpr std::size_t span = 128;  ///< bodies j after which a new sum is begun
  static constexpr bool has_rest = false;
  static constexpr int unroll = 8;
};

/// Positions are sums of two floats; a difference of two is exact to a float.
struct Mixed {
  using Number = float;
  using Real = Single<Root::refined>;
  using ChunkSum = cuda::Real;
  static constexpr std::size_t span = 128;
  static constexpr bool has_rest = true;
  static constexpr int unroll = 4;
};

template <class P>
struct Body {
  typename P::Number x, y, z, w, rest_x, rest_y, rest_z;

  static __device__ __forceinline__ Body at(const Field<typename P::Number>& f, std::size_t i) {
    Body body{f.x[i], f.y[i], f.z[i], f.source[i], 0, 0, 0};
    if constexpr (P::has_rest) {
      body.rest_x = f.rest_x[i];
      body.rest_y = f.rest_y[i];
      body.rest_z = f.rest_z[i];
    }
    return body;
  }
};

/// A pair as both of its bodies see it, up to signs: x_j − x_i, c(r²) and u(r²).
template <class P, class Law, bool potential>
struct Pair {
  using Real = typename P::Real;
  Real dx, dy, dz, c, u;

  __device__ __forceinline__ Pair(const Body<P>& i, const Body<P>& j, const Field<typename P::Number>& f)
      : dx(apart(i.x, j.x, i.rest_x, j.rest_x)),
        dy(apart(i.y, j.y, i.rest_y, j.rest_y)),
        dz(apart(i.z, j.z, i.rest_z, j.rest_z)),
        c(0.0),
        u(0.0) {
    const Law law(f.number);
    const Real r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, Real(f.softening2))));
    c = law.c(r2);
    if constexpr (potential) u = law.u(r2);
  }
  /// Counts only where `met`: masked, since 0 · ∞ would be NaN.
  __device__ __forceinline__ void mask(bool met) {
    c = select(met, c);
    if constexpr (potential) u = select(met, u);
  }

 private:
  static __device__ __forceinline__ Real apart(typename P::Number i, typename P::Number j, typename P::Number rest_i,
                                               typename P::Number rest_j) {
    if constexpr (P::has_rest) return (Real(j) - Real(i)) + (Real(rest_j) - Real(rest_i));
    return Real(j) - Real(i);
  }
};

/// What some bodies do to one: an acceleration and a potential.
template <class Real, bool potential>
struct Sums {
  Real x{0.0}, y{0.0}, z{0.0}, u{0.0};

  /// What j does to i.
  template <class Pair>
  __device__ __forceinline__ void add_to_i(const Pair& pair, Real w) {
    const Real s = w * pair.c;
    x = fma(pair.dx, s, x);
    y = fma(pair.dy, s, y);
    z = fma(pair.dz, s, z);
    if constexpr (potential) u = fma(w, pair.u, u);
  }
  /// What i does to j.
  template <class Pair>
  __device__ __forceinline__ void add_to_j(const Pair& pair, Real w) {
    const Real s = w * pair.c;
    x = nfma(pair.dx, s, x);
    y = nfma(pair.dy, s, y);
    z = nfma(pair.dz, s, z);
    if constexpr (potential) u = fma(w, pair.u, u);
  }
  template <class Other>
  __device__ __forceinline__ void add(const Sums<Other, potential>& part) {
    x = x + Real(part.x.value);
    y = y + Real(part.y.value);
    z = z + Real(part.z.value);
    if constexpr (potential) u = u + Real(part.u.value);
  }
  template <class Number>
  __device__ __forceinline__ void load(const Number* from, std::size_t stride) {
    x.value = from[0];
    y.value = from[stride];
    z.value = from[2 * stride];
    if constexpr (potential) u.value = from[3 * stride];
  }
  template <class Number>
  __device__ __forceinline__ void store(Number* to, std::size_t stride) const {
    to[0] = static_cast<Number>(x.value);
    to[stride] = static_cast<Number>(y.value);
    to[2 * stride] = static_cast<Number>(z.value);
    if constexpr (potential) to[3 * stride] = static_cast<Number>(u.value);
  }
  /// The sums that travel with bodies j go on to the next lane.
  __device__ __forceinline__ void hand_on(unsigned from) {
    x.value = __shfl_sync(~0U, x.value, from);
    y.value = __shfl_sync(~0U, y.value, from);
    z.value = __shfl_sync(~0U, z.value, from);
    if constexpr (potential) u.value = __shfl_sync(~0U, u.value, from);
  }
};

/// Bodies in shared memory, in pieces of 16 bytes: neighbouring threads then read neighbouring banks.
template <class P, unsigned size>
class Shelf {
 public:
  __device__ __forceinline__ void put(unsigned k, const Body<P>& b) {
    if constexpr (sizeof(typename P::Number) == 8) {
      front_[k] = {b.x, b.y};
      back_[k] = {b.z, b.w};
    } else {
      front_[k] = {b.x, b.y, b.z, b.w};
      if constexpr (P::has_rest) back_[k] = {b.rest_x, b.rest_y, b.rest_z, 0};
    }
  }
  __device__ __forceinline__ Body<P> operator[](unsigned k) const {
    const Piece front = front_[k];
    if constexpr (sizeof(typename P::Number) == 8) {
      const Piece back = back_[k];
      return {front.x, front.y, back.x, back.y, 0, 0, 0};
    } else if constexpr (P::has_rest) {
      const Piece back = back_[k];
      return {front.x, front.y, front.z, front.w, back.x, back.y, back.z};
    } else {
      return {front.x, front.y, front.z, front.w, 0, 0, 0};
    }
  }

 private:
  using Piece = std::conditional_t<sizeof(typename P::Number) == 8, double2, float4>;
  static constexpr bool two_pieces = sizeof(typename P::Number) == 8 || P::has_rest;
  Piece front_[size], back_[two_pieces ? size : 1];
};

}  // namespace orrery::sim::cuda
