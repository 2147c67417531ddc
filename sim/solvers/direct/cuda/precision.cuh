// SPDX-License-Identifier: MIT
// Types of bodies, pairs and sums for each precision.
#pragma once

#include <type_traits>

#include "sim/backends/cuda/real.cuh"
#include "sim/pair_order.hpp"
#include "sim/precision.hpp"
#include "sim/solvers/direct/cuda/kernels.cuh"
#include "sim/solvers/direct/pair.hpp"

namespace orrery::sim::cuda {

inline constexpr unsigned lanes = group_size;

/// GPU-specific extension of PairNumbers.
template <Precision precision>
struct OnGpu;

template <>
struct OnGpu<Precision::float64> : PairNumbers<Precision::float64> {
  using Real = cuda::Real;
  using ChunkSum = cuda::Real;            ///< type of a sum over a chunk, to which sums over spans are added
  static constexpr std::size_t span = 0;  ///< no spans: one sum over the whole chunk
  template <Outputs outputs>
  static constexpr int unroll = outputs == Outputs::forces ? 1 : 4;
};

/// With the GPU's approximate or the correctly rounded root.
template <Root root>
struct FloatsOnGpu {
  using Real = Single<root>;
  using ChunkSum = Single<root>;
  static constexpr std::size_t span = 128;  ///< bodies j per sum
  template <Outputs>
  static constexpr int unroll = root == Root::exact ? 1 : 8;  // the exact root is long, and only for comparisons
};
template <>
struct OnGpu<Precision::float32> : PairNumbers<Precision::float32>, FloatsOnGpu<Root::approximate> {};
template <>
struct OnGpu<Precision::float32_exact_root> : PairNumbers<Precision::float32_exact_root>, FloatsOnGpu<Root::exact> {};

/// Positions are sums of two floats; their difference is exact to a float.
template <>
struct OnGpu<Precision::mixed> : PairNumbers<Precision::mixed> {
  using Real = Single<Root::refined>;
  using ChunkSum = cuda::Real;
  static constexpr std::size_t span = 128;
  template <Outputs>
  static constexpr int unroll = 4;
};

template <class P, Outputs outputs>
struct Body {
  typename P::Number x, y, z, w, rest_x, rest_y, rest_z;
  double vx, vy, vz;

  static __device__ __forceinline__ Body at(const ParticleView<typename P::Number>& f, std::size_t i) {
    Body body{f.x[i], f.y[i], f.z[i], f.source[i], 0, 0, 0, 0, 0, 0};
    if constexpr (P::parts == 2) {
      body.rest_x = f.rest_x[i];
      body.rest_y = f.rest_y[i];
      body.rest_z = f.rest_z[i];
    }
    if constexpr (outputs == Outputs::jerk) {
      body.vx = f.vx[i];
      body.vy = f.vy[i];
      body.vz = f.vz[i];
    }
    return body;
  }
};

template <class P, class Law, Outputs outputs>
__device__ __forceinline__ Pair<typename P::Real, outputs> pair_of(const Body<P, outputs>& i, const Body<P, outputs>& j,
                                                                   const Law& law, typename P::Real softening2) {
  using Real = typename P::Real;
  const auto apart = [](auto xi, auto xj, auto rest_i, auto rest_j) {
    if constexpr (P::parts == 2) return (Real(xj) - Real(xi)) + (Real(rest_j) - Real(rest_i));
    return Real(xj) - Real(xi);
  };
  return {law,
          Triple<Real>{apart(i.x, j.x, i.rest_x, j.rest_x), apart(i.y, j.y, i.rest_y, j.rest_y),
                       apart(i.z, j.z, i.rest_z, j.rest_z)},
          softening2, [&] {
            return Triple<Real>{Real(j.vx) - Real(i.vx), Real(j.vy) - Real(i.vy), Real(j.vz) - Real(i.vz)};
          }};
}
template <class P, class Law, Outputs outputs>
__device__ __forceinline__ Pair<typename P::Real, outputs> pair_of(const Body<P, outputs>& i, const Body<P, outputs>& j,
                                                                   const ParticleView<typename P::Number>& f) {
  return pair_of<P, Law, outputs>(i, j, Law(f.parameters), typename P::Real(f.softening2));
}

/// to ← to + part
template <class Real, class Other, Outputs outputs>
__device__ __forceinline__ void add(Sums<Real, outputs>& to, const Sums<Other, outputs>& part) {
  to.x = to.x + Real(part.x.value);
  to.y = to.y + Real(part.y.value);
  to.z = to.z + Real(part.z.value);
  if constexpr (outputs == Outputs::potential) to.u = to.u + Real(part.u.value);
  if constexpr (outputs == Outputs::jerk) {
    to.j = {to.j.x + Real(part.j.x.value), to.j.y + Real(part.j.y.value), to.j.z + Real(part.j.z.value)};
  }
}
template <class Real, Outputs outputs, class Number>
__device__ __forceinline__ void load(Sums<Real, outputs>& sums, const Number* from, std::size_t stride) {
  sums.each([&](std::size_t q, Real& one) { one.value = from[q * stride]; });
}
template <class Real, Outputs outputs, class Number>
__device__ __forceinline__ void store(Sums<Real, outputs> sums, Number* to, std::size_t stride) {
  sums.each([&](std::size_t q, Real& one) { to[q * stride] = static_cast<Number>(one.value); });
}
/// Moves the sums of bodies j to the next lane.
template <class Real, Outputs outputs>
__device__ __forceinline__ void shuffle(Sums<Real, outputs>& sums, unsigned from) {
  sums.each([&](std::size_t, Real& one) { one.value = __shfl_sync(~0U, one.value, from); });
}

/// The sums over one chunk for one body: by tiles if the chunk precedes the body's own, else by spans.
template <class P, Outputs outputs>
struct FromOneChunk {
  Sums<typename P::Real, outputs> sum;  ///< since the last tile or span
  Sums<typename P::Real, outputs> by_tiles;
  Sums<typename P::ChunkSum, outputs> by_spans;

  __device__ __forceinline__ void end_tile() {
    add(by_tiles, sum);
    sum = {};
  }
  __device__ __forceinline__ void end_span() {
    add(by_spans, sum);
    sum = {};
  }
  __device__ __forceinline__ void store_to(typename P::Number* to, std::size_t stride, bool lies_before) const {
    if (lies_before) {
      store(by_tiles, to, stride);
    } else if constexpr (P::span == 0) {
      store(sum, to, stride);
    } else {
      store(by_spans, to, stride);
    }
  }
};

/// Bodies in shared memory, in pieces of 16 bytes, so that neighbouring threads read neighbouring banks.
template <class P, Outputs outputs, unsigned size>
class SharedTile {
 public:
  __device__ __forceinline__ void put(unsigned k, const Body<P, outputs>& b) {
    if constexpr (!P::floats) {
      front_[k] = {b.x, b.y};
      back_[k] = {b.z, b.w};
    } else {
      front_[k] = {b.x, b.y, b.z, b.w};
      if constexpr (P::parts == 2) back_[k] = {b.rest_x, b.rest_y, b.rest_z, 0};
    }
    if constexpr (outputs == Outputs::jerk) {
      motion_[k] = {b.vx, b.vy};
      motion_z_[k] = b.vz;
    }
  }
  __device__ __forceinline__ Body<P, outputs> operator[](unsigned k) const {
    const Piece front = front_[k];
    Body<P, outputs> body{front.x, front.y, 0, 0, 0, 0, 0, 0, 0, 0};
    if constexpr (!P::floats) {
      const Piece back = back_[k];
      body.z = back.x, body.w = back.y;
    } else {
      body.z = front.z, body.w = front.w;
    }
    if constexpr (P::parts == 2) {
      const Piece back = back_[k];
      body.rest_x = back.x, body.rest_y = back.y, body.rest_z = back.z;
    }
    if constexpr (outputs == Outputs::jerk) {
      const double2 motion = motion_[k];
      body.vx = motion.x, body.vy = motion.y, body.vz = motion_z_[k];
    }
    return body;
  }

 private:
  using Piece = std::conditional_t<P::floats, float4, double2>;
  static constexpr bool two_pieces = !P::floats || P::parts == 2;
  static constexpr unsigned moving = outputs == Outputs::jerk ? size : 1;
  Piece front_[size], back_[two_pieces ? size : 1];
  double2 motion_[moving];
  double motion_z_[moving];
};

}  // namespace orrery::sim::cuda
