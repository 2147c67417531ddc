// SPDX-License-Identifier: MIT
// Operations on one particle: the arithmetic of laws, its cell, its motion.
#pragma once

#include "sim/backends/cuda/real.cuh"
#include "sim/boundaries/list.hpp"
#include "sim/forces/list.hpp"
#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim::cuda {

/// a·b + c, rounded once.
__device__ __forceinline__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}
__device__ __forceinline__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}

template <class T>
struct NumberOf {
  using Real = cuda::Real;
};
template <>
struct NumberOf<float> {
  using Real = Single<Root::approximate>;
};
template <class T, class Law>
__device__ __forceinline__ T c_of(const Law& law, T r2) {
  return law.force_over_r(typename NumberOf<T>::Real(r2)).value;
}
template <class T, class Law>
__device__ __forceinline__ T u_of(const Law& law, T r2) {
  return law.u(typename NumberOf<T>::Real(r2)).value;
}

/// Calls function.operator()<Law>() for law number `law` of a list.
template <class Function, class... Law>
void with_law(LawList<Law...>, std::size_t law, const Function& function) {
  std::size_t k = 0;
  ((k++ == law ? function.template operator()<Law>() : void()), ...);
}

/// Returns the index of a cell along an axis, a monotonic function of x, so that the cells from that of x − r to that
/// of x + r hold all particles within r in spite of rounding.
__device__ __forceinline__ int line(const CellGrid& grid, int axis, float x) {
  const int c = static_cast<int>((x - grid.low[axis]) * grid.inverse[axis]);
  return max(0, min(c, grid.cells[axis] - 1));
}

template <class T>
__device__ __forceinline__ int cell_of(const CellGrid& grid, const Flat<T>& p) {
  return line(grid, 1, static_cast<float>(p.y)) * grid.row + line(grid, 0, static_cast<float>(p.x));
}
template <class T>
__device__ __forceinline__ int cell_of(const CellGrid& grid, const Solid<T>& p) {
  return line(grid, 2, static_cast<float>(p.z)) * grid.plane + line(grid, 1, static_cast<float>(p.y)) * grid.row +
         line(grid, 0, static_cast<float>(p.x));
}

/// Index of the thread in the grid, and number of threads.
__device__ __forceinline__ unsigned thread_of_all() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned all_threads() {
  return gridDim.x * blockDim.x;
}

/// The rank in its cell of a particle whose cell another rank has.
inline constexpr std::uint32_t elsewhere = ~0U;
/// Counts a particle in its cell; returns its rank there.
template <class T, class V>
__device__ __forceinline__ std::uint32_t count_in_cell(const Particles<T, V>& s, const V& p) {
  const int cell = cell_of(s.grid, p), layer = s.grid.cells_of_layer();
  const bool own = cell >= s.layers.first * layer && cell < s.layers.last * layer;
  return own ? atomicAdd(&s.count[cell], 1U) : elsewhere;
}

/// Item k of the list of particles that leave: in the place of an id, to which the particle may be copied later.
template <class T>
__device__ __forceinline__ std::uint32_t& listed_in(const Particles<T, Flat<T>>& s, int velocity, unsigned k) {
  return s.id[velocity][k];
}
template <class T>
__device__ __forceinline__ std::uint32_t& listed_in(const Particles<T, Solid<T>>& s, int velocity, unsigned k) {
  return s.velocity[velocity][k].id;
}
/// Lists particle i among those that leave.
template <class T, class V>
__device__ __forceinline__ void list_leaving(const Particles<T, V>& s, int velocity, unsigned i) {
  listed_in(s, velocity, atomicAdd(&s.control->word.counted.leaving, 1U)) = i;
}

/// nearest_image of sim/domain.hpp.
template <class T>
__device__ __forceinline__ T nearest_of(T d, T period) {
  const T half = T(0.5) * period;
  if (period > 0) d = d > half ? d - period : d < -half ? d + period : d;
  return d;
}

/// Returns whether a coordinate is within the periodic boundaries of an axis, if any.
template <class T>
__device__ __forceinline__ bool is_between(const Space<T>& space, int axis, T x) {
  return space.period[axis] == 0 || (x >= space.low[axis] && x < space.high[axis]);
}

/// A coordinate just below the upper one of two periodic boundaries, rounded to a float, can be that end: then it is at the
/// lower one. Returns whether it was moved there.
template <class T>
__device__ __forceinline__ bool rounded_across(const Space<T>& space, int axis, T& x) {
  if (sizeof(T) > sizeof(float) || space.period[axis] == 0 || x != space.high[axis]) return false;
  x = space.low[axis];
  return true;
}

/// Applies the boundary condition to a coordinate outside its axis, in double. Bounds are representable in T.
template <class T>
__device__ __noinline__ void cross_axis(const Space<T>& space, int axis, T& x, T& v, int* image) {
  const Coordinate after = cross(Boundaries{}, space.boundary[axis], {x, v, 0}, space.low[axis], space.length[axis]);
  x = static_cast<T>(after.x);
  v = static_cast<T>(after.v);
  const int more = rounded_across(space, axis, x) ? 1 : 0;
  if (image != nullptr) *image += static_cast<int>(after.image) + more;
}

/// Kicks and drifts one component; returns the maximum speed of its drifts. `id`: of the particle, if shared its place.
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
/// The same in a plane without boundary conditions. Returns whether the particle stays inside; else p, v are invalid.
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
