// SPDX-License-Identifier: MIT
// What a pass does to a particle once its acceleration is known.
#pragma once

#include "sim/boundaries/list.hpp"
#include "sim/solvers/cells/cuda/arithmetic.cuh"
#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim::cuda {

/// A difference of coordinates to the nearest image, as sim/domain.hpp has it.
template <class T>
__device__ __forceinline__ T nearest_of(T d, T period) {
  const T half = T(0.5) * period;
  if (period > 0) d = d > half ? d - period : d < -half ? d + period : d;
  return d;
}

/// A coordinate that has left its axis, in doubles: what comes back fits the ends, which are the particles' own numbers.
template <class T>
__device__ __noinline__ void cross_axis(const Space<T>& space, int axis, T& x, T& v, int* image) {
  const Coordinate after = cross(Boundaries{}, space.boundary[axis], {x, v, 0}, space.low[axis], space.length[axis]);
  x = static_cast<T>(after.x);
  v = static_cast<T>(after.v);
  if (image != nullptr) *image += static_cast<int>(after.image);
}

/// Kicks and drifts in their order; returns the greatest component of the velocities that it drifted with.
template <class T, class V>
__device__ __forceinline__ float move(const Particles<T, V>& s, V& p, V& v, const V& a, std::uint32_t id) {
  constexpr bool solid = V::axes == 3;
  float fastest = 0;
  const auto along = [&](int axis, T dt, T& x, T& u) {
    x = fused(dt, u, x);
    fastest = fmaxf(fastest, fabsf(static_cast<float>(u)));
    if (!(x >= s.space.low[axis] && x < s.space.high[axis]))
      cross_axis(s.space, axis, x, u, s.image[axis] != nullptr ? s.image[axis] + id : nullptr);
  };
  for (int k = 0; k < s.motion.count; ++k) {
    const T dt = s.motion.dt[k];
    if (s.motion.is_drift[k]) {
      along(0, dt, p.x, v.x);
      along(1, dt, p.y, v.y);
      if constexpr (solid) along(2, dt, p.z, v.z);
    } else {
      v.x = fused(dt, a.x, v.x);
      v.y = fused(dt, a.y, v.y);
      if constexpr (solid) v.z = fused(dt, a.z, v.z);
    }
  }
  return fastest;
}

}  // namespace orrery::sim::cuda
