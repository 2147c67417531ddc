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

template <class P, Wanted wanted>
struct Body {
  typename P::Number x, y, z, w, rest_x, rest_y, rest_z;
  double vx, vy, vz;

  static __device__ __forceinline__ Body at(const Field<typename P::Number>& f, std::size_t i) {
    Body body{f.x[i], f.y[i], f.z[i], f.source[i], 0, 0, 0, 0, 0, 0};
    if constexpr (P::has_rest) {
      body.rest_x = f.rest_x[i];
      body.rest_y = f.rest_y[i];
      body.rest_z = f.rest_z[i];
    }
    if constexpr (wanted == Wanted::jerk) {
      body.vx = f.vx[i];
      body.vy = f.vy[i];
      body.vz = f.vz[i];
    }
    return body;
  }
};

/// A pair as both of its bodies see it, up to signs: x_j − x_i, c(r²), and u(r²) or d(c·(x_j − x_i))/dt.
template <class P, class Law, Wanted wanted>
struct Pair {
  using Real = typename P::Real;
  Real dx, dy, dz, c, u;
  Triple<Real> change;

  __device__ __forceinline__ Pair(const Body<P, wanted>& i, const Body<P, wanted>& j,
                                  const Field<typename P::Number>& f)
      : dx(apart(i.x, j.x, i.rest_x, j.rest_x)),
        dy(apart(i.y, j.y, i.rest_y, j.rest_y)),
        dz(apart(i.z, j.z, i.rest_z, j.rest_z)),
        c(0.0),
        u(0.0),
        change{Real(0.0), Real(0.0), Real(0.0)} {
    const Law law(f.number);
    const Real r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, Real(f.softening2))));
    c = law.c(r2);
    if constexpr (wanted == Wanted::potential) u = law.u(r2);
    if constexpr (wanted == Wanted::jerk) {
      const Triple<Real> v{Real(j.vx) - Real(i.vx), Real(j.vy) - Real(i.vy), Real(j.vz) - Real(i.vz)};
      change = rate_of_change({dx, dy, dz}, v, c, law.slope(r2));
    }
  }
  /// Counts only where `met`: masked, since 0 · ∞ would be NaN.
  __device__ __forceinline__ void mask(bool met) {
    c = select(met, c);
    if constexpr (wanted == Wanted::potential) u = select(met, u);
    if constexpr (wanted == Wanted::jerk) {
      change = {select(met, change.x), select(met, change.y), select(met, change.z)};
    }
  }

 private:
  static __device__ __forceinline__ Real apart(typename P::Number i, typename P::Number j, typename P::Number rest_i,
                                               typename P::Number rest_j) {
    if constexpr (P::has_rest) return (Real(j) - Real(i)) + (Real(rest_j) - Real(rest_i));
    return Real(j) - Real(i);
  }
};

/// What some bodies do to one: an acceleration, and a potential or a jerk.
template <class Real, Wanted wanted>
struct Sums {
  static constexpr bool with_potential = wanted == Wanted::potential, with_jerk = wanted == Wanted::jerk;
  Real x{0.0}, y{0.0}, z{0.0}, u{0.0}, jx{0.0}, jy{0.0}, jz{0.0};

  /// What j does to i.
  template <class Pair>
  __device__ __forceinline__ void add_to_i(const Pair& pair, Real w) {
    const Real s = w * pair.c;
    x = fma(pair.dx, s, x);
    y = fma(pair.dy, s, y);
    z = fma(pair.dz, s, z);
    if constexpr (with_potential) u = fma(w, pair.u, u);
    if constexpr (with_jerk) {
      jx = fma(pair.change.x, w, jx);
      jy = fma(pair.change.y, w, jy);
      jz = fma(pair.change.z, w, jz);
    }
  }
  /// What i does to j.
  template <class Pair>
  __device__ __forceinline__ void add_to_j(const Pair& pair, Real w) {
    const Real s = w * pair.c;
    x = nfma(pair.dx, s, x);
    y = nfma(pair.dy, s, y);
    z = nfma(pair.dz, s, z);
    if constexpr (with_potential) u = fma(w, pair.u, u);
    if constexpr (with_jerk) {
      jx = nfma(pair.change.x, w, jx);
      jy = nfma(pair.change.y, w, jy);
      jz = nfma(pair.change.z, w, jz);
    }
  }
  template <class Other>
  __device__ __forceinline__ void add(const Sums<Other, wanted>& part) {
    x = x + Real(part.x.value);
    y = y + Real(part.y.value);
    z = z + Real(part.z.value);
    if constexpr (with_potential) u = u + Real(part.u.value);
    if constexpr (with_jerk) {
      jx = jx + Real(part.jx.value);
      jy = jy + Real(part.jy.value);
      jz = jz + Real(part.jz.value);
    }
  }
  template <class Number>
  __device__ __forceinline__ void load(const Number* from, std::size_t stride) {
    x.value = from[0];
    y.value = from[stride];
    z.value = from[2 * stride];
    if constexpr (with_potential) u.value = from[3 * stride];
    if constexpr (with_jerk) {
      jx.value = from[3 * stride];
      jy.value = from[4 * stride];
      jz.value = from[5 * stride];
    }
  }
  template <class Number>
  __device__ __forceinline__ void store(Number* to, std::size_t stride) const {
    to[0] = static_cast<Number>(x.value);
    to[stride] = static_cast<Number>(y.value);
    to[2 * stride] = static_cast<Number>(z.value);
    if constexpr (with_potential) to[3 * stride] = static_cast<Number>(u.value);
    if constexpr (with_jerk) {
      to[3 * stride] = static_cast<Number>(jx.value);
      to[4 * stride] = static_cast<Number>(jy.value);
      to[5 * stride] = static_cast<Number>(jz.value);
    }
  }
  /// The sums that travel with bodies j go on to the next lane.
  __device__ __forceinline__ void hand_on(unsigned from) {
    x.value = __shfl_sync(~0U, x.value, from);
    y.value = __shfl_sync(~0U, y.value, from);
    z.value = __shfl_sync(~0U, z.value, from);
    if constexpr (with_potential) u.value = __shfl_sync(~0U, u.value, from);
    if constexpr (with_jerk) {
      jx.value = __shfl_sync(~0U, jx.value, from);
      jy.value = __shfl_sync(~0U, jy.value, from);
      jz.value = __shfl_sync(~0U, jz.value, from);
    }
  }
};

/// Bodies in shared memory, in pieces of 16 bytes: neighbouring threads then read neighbouring banks.
template <class P, Wanted wanted, unsigned size>
class Shelf {
 public:
  __device__ __forceinline__ void put(unsigned k, const Body<P, wanted>& b) {
    if constexpr (sizeof(typename P::Number) == 8) {
      front_[k] = {b.x, b.y};
      back_[k] = {b.z, b.w};
    } else {
      front_[k] = {b.x, b.y, b.z, b.w};
      if constexpr (P::has_rest) back_[k] = {b.rest_x, b.rest_y, b.rest_z, 0};
    }
    if constexpr (wanted == Wanted::jerk) {
      motion_[k] = {b.vx, b.vy};
      motion_z_[k] = b.vz;
    }
  }
  __device__ __forceinline__ Body<P, wanted> operator[](unsigned k) const {
    const Piece front = front_[k];
    Body<P, wanted> body{front.x, front.y, 0, 0, 0, 0, 0, 0, 0, 0};
    if constexpr (sizeof(typename P::Number) == 8) {
      const Piece back = back_[k];
      body.z = back.x, body.w = back.y;
    } else {
      body.z = front.z, body.w = front.w;
    }
    if constexpr (P::has_rest) {
      const Piece back = back_[k];
      body.rest_x = back.x, body.rest_y = back.y, body.rest_z = back.z;
    }
    if constexpr (wanted == Wanted::jerk) {
      const double2 motion = motion_[k];
      body.vx = motion.x, body.vy = motion.y, body.vz = motion_z_[k];
    }
    return body;
  }

 private:
  using Piece = std::conditional_t<sizeof(typename P::Number) == 8, double2, float4>;
  static constexpr bool two_pieces = sizeof(typename P::Number) == 8 || P::has_rest;
  static constexpr unsigned moving = wanted == Wanted::jerk ? size : 1;
  Piece front_[size], back_[two_pieces ? size : 1];
  double2 motion_[moving];
  double motion_z_[moving];
};

}  // namespace orrery::sim::cuda
