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

/// Kicks and drifts of a component; returns the greatest speed that it drifted with.
template <class T, class V>
__device__ __forceinline__ float move_along(const Particles<T, V>& s, int axis, T& x, T& v, T a, std::uint32_t id) {
  for (int k = 0; k < s.motion.kicks; ++k) v = fused(s.motion.kick[k], a, v);
  float fastest = 0;
  for (int k = 0; k < s.motion.drifts; ++k) {
    x = fused(s.motion.drift[k], v, x);
    fastest = fmaxf(fastest, fabsf(static_cast<float>(v)));
    if (!(x >= s.space.low[axis] && x < s.space.high[axis]))
      cross_axis(s.space, axis, x, v, s.image[axis] != nullptr ? s.image[axis] + id : nullptr);
  }
  return fastest;
}
/// The same in a plane of a particle that stays between the ends, which is returned instead: who crosses must begin again.
template <class T>
__device__ __forceinline__ bool stays(const Particles<T, Flat<T>>& s, Flat<T>& p, Flat<T>& v, const Flat<T>& a) {
#pragma unroll 1
  for (int k = 0; k < s.motion.kicks; ++k) {
    v.x = fused(s.motion.kick[k], a.x, v.x);
    v.y = fused(s.motion.kick[k], a.y, v.y);
  }
  bool inside = true;
#pragma unroll 1
  for (int k = 0; k < s.motion.drifts; ++k) {
    p.x = fused(s.motion.drift[k], v.x, p.x);
    p.y = fused(s.motion.drift[k], v.y, p.y);
    inside = inside && p.x >= s.space.low[0] && p.x < s.space.high[0] && p.y >= s.space.low[1] && p.y < s.space.high[1];
  }
  return inside;
}

}  // namespace orrery::sim::cuda
