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

/// Kicks and drifts of a component in their order; returns the greatest speed that it drifted with.
template <class T, class V>
__device__ __forceinline__ float move_along(const Particles<T, V>& s, int axis, T& x, T& v, T a, std::uint32_t id) {
  float fastest = 0;
  for (int k = 0; k < s.motion.count; ++k) {
    const T dt = s.motion.dt[k];
    if (!s.motion.is_drift[k]) {
      v = fused(dt, a, v);
      continue;
    }
    x = fused(dt, v, x);
    fastest = fmaxf(fastest, fabsf(static_cast<float>(v)));
    if (!(x >= s.space.low[axis] && x < s.space.high[axis]))
      cross_axis(s.space, axis, x, v, s.image[axis] != nullptr ? s.image[axis] + id : nullptr);
  }
  return fastest;
}
/// The same of one that stays between the ends, which is returned instead: who crosses must begin again.
template <class T, class V>
__device__ __forceinline__ bool stays_along(const Particles<T, V>& s, int axis, T& x, T& v, T a, float& fastest) {
  bool stays = true;
  for (int k = 0; k < s.motion.count; ++k) {
    const T dt = s.motion.dt[k];
    if (!s.motion.is_drift[k]) {
      v = fused(dt, a, v);
      continue;
    }
    x = fused(dt, v, x);
    fastest = fmaxf(fastest, fabsf(static_cast<float>(v)));
    stays = stays && x >= s.space.low[axis] && x < s.space.high[axis];
  }
  return stays;
}

}  // namespace orrery::sim::cuda
