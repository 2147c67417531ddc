// SPDX-License-Identifier: MIT
// Passes with neighbour lists: each particle has a list of those within the cutoff and a skin, in ascending order. When
// a particle has moved by more than half of the skin, all lists are rebuilt (make_lists.cu) before the next forces.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/cells/cuda/particle_ops.cuh"

namespace orrery::sim::cuda {

/// How the nearest image is found. none: not at all; wide: by rounding to whole periods, correct except about half a
/// box away, where particles are no neighbours unless the box is narrow; narrow: as in sim/domain.hpp.
enum class Images { none, wide, narrow };

template <Images images, class T>
__device__ __forceinline__ T to_nearest(T d, const Space<T>& space, int axis) {
  if constexpr (images == Images::none) return d;
  if constexpr (images == Images::narrow) return nearest_of(d, space.period[axis]);
  constexpr T whole = sizeof(T) == sizeof(double) ? T(0x1.8p52) : T(0x1.8p23);  // adding it rounds to an integer
  const T periods = fused(d, space.inverse[axis], whole) - whole;
  return fused(-periods, space.period[axis], d);
}
template <Images images, class T>
__device__ __forceinline__ T length2(const Solid<T>& p, const Solid<T>& q, const Space<T>& space, T (&d)[3]) {
  d[0] = to_nearest<images>(q.x - p.x, space, 0);
  d[1] = to_nearest<images>(q.y - p.y, space, 1);
  d[2] = to_nearest<images>(q.z - p.z, space, 2);
  return fused(d[0], d[0], fused(d[1], d[1], d[2] * d[2]));
}

/// Cell c and its neighbours along an axis are first … first + count − 1, cyclically if periodic. Each cell occurs once.
struct CellRange {
  int first, count;
};
__device__ __forceinline__ CellRange around(const CellGrid& grid, int axis, int c) {
  const int cells = grid.cells[axis];
  if (cells <= 3 && grid.periodic[axis]) return {0, cells};
  if (grid.periodic[axis]) return {c - 1, 3};
  const int low = max(c - 1, 0), high = min(c + 1, cells - 1);
  return {low, high - low + 1};
}
__device__ __forceinline__ int wrapped(int c, int cells) {
  return c < 0 ? c + cells : c >= cells ? c - cells : c;
}

/// Calls visit(begin, end, shift x, y, z) for runs of slots that hold all particles in the cells around a position;
/// thread `lane` of `lanes` takes its share of the rows of cells. Shifts lead to the images across periodic boundaries, unless
/// the grid is narrow.
template <class Visit>
__device__ __forceinline__ void visit_around(const CellGrid& grid, const float (&period)[3], const std::uint32_t* start,
                                             float x, float y, float z, int lane, int lanes, const Visit& visit) {
  const CellRange xs = around(grid, 0, line(grid, 0, x)), ys = around(grid, 1, line(grid, 1, y)),
                  zs = around(grid, 2, line(grid, 2, z));
  // A row that leaves the box is two runs.
  const int begin = max(xs.first, 0), end = min(xs.first + xs.count, grid.cells[0]);
  const int over = xs.first < 0 ? grid.cells[0] - 1 : xs.first + xs.count > grid.cells[0] ? 0 : -1;
  const auto shift = [&](int axis, int c) {
    return c < 0 ? period[axis] : c >= grid.cells[axis] ? -period[axis] : 0.0F;
  };
  for (int row = lane; row < ys.count * zs.count; row += lanes) {
    const int a = row / ys.count, b = row - a * ys.count, cy = ys.first + b, cz = zs.first + a;
    const float dy = shift(1, cy), dz = shift(2, cz);
    const std::uint32_t* cells =
        start + wrapped(cz, grid.cells[2]) * grid.plane + wrapped(cy, grid.cells[1]) * grid.row;
    visit(cells[begin], cells[end], 0.0F, dy, dz);
    if (over >= 0) visit(cells[over], cells[over + 1], over > 0 ? period[0] : -period[0], dy, dz);
  }
}

/// Calls meet(r2, d) for the particles within the cutoff in ascending order, from the cells, or from all particles if
/// one is lost. For particles whose list has no room.
template <class T, class Meet>
__device__ __forceinline__ void meet_ascending(const Particles<T, Solid<T>>& s, const Solid<T>* position,
                                               const Solid<T>& built, unsigned i, const Meet& meet) {
  const Solid<T> p = position[i];
  long long last = -1;
  while (true) {
    long long least = 1LL << 40;
    unsigned place = 0;
    const auto visit = [&](std::uint32_t begin, std::uint32_t end, float, float, float) {
      for (std::uint32_t j = begin; j < end; ++j) {
        T d[3];
        const Solid<T> q = position[j];
        if (length2<Images::narrow>(p, q, s.space, d) <= s.cutoff2 && j != i && q.id > last && q.id < least)
          least = q.id, place = j;
      }
    };
    if (s.control->lost != 0) {
      visit(0, s.known, 0, 0, 0);
    } else {
      visit_around(s.grid, {0, 0, 0}, s.start, static_cast<float>(built.x), static_cast<float>(built.y),
                   static_cast<float>(built.z), 0, 1, visit);
    }
    if (least == 1LL << 40) return;
    T d[3];
    const T r2 = length2<Images::narrow>(p, position[place], s.space, d);
    meet(r2, d);
    last = least;
  }
}
template <class Law, class T>
__device__ __noinline__ Solid<T> sum_without_list(const Particles<T, Solid<T>>& s, const Law& law,
                                                  const Solid<T>* position, const Solid<T>& built, unsigned i) {
  Solid<T> a{0, 0, 0, 0};
  meet_ascending(s, position, built, i, [&](T r2, const T(&d)[3]) {
    const T c = c_of(law, r2);
    a.x = fused(c, d[0], a.x), a.y = fused(c, d[1], a.y), a.z = fused(c, d[2], a.z);
  });
  return a;
}

/// Sums over the list of particle i, whose first entries are `js`.
template <Images images, class Law, class T>
__device__ __forceinline__ Solid<T> sum_of_list(const Particles<T, Solid<T>>& s, const Law& law,
                                                const Solid<T>* position, unsigned i, const Solid<T>& p,
                                                unsigned length, Four js) {
  // If there are registers left, the next four are loaded while these are added.
  constexpr bool early = sizeof(T) == sizeof(float);
  const unsigned groups = (length + 3) / 4;
  const auto four = [&](const Four& of, Solid<T>(&q)[4]) {
    q[0] = position[of.x], q[1] = position[of.y], q[2] = position[of.z], q[3] = position[of.w];
  };
  const auto list = [&](unsigned k) { return s.list[static_cast<std::size_t>(k) * s.stride + i]; };
  Solid<T> a{0, 0, 0, 0}, q[4], next[4];
  Four now = js;
  if (early && groups > 0) four(js, next);
  if (early && groups > 1) js = list(1);
  for (unsigned k = 0; k < groups; ++k) {
    const Four places = now;
    if constexpr (early) {
#pragma unroll
      for (int u = 0; u < 4; ++u) q[u] = next[u];
      now = js;
      if (k + 1 < groups) four(js, next);
      if (k + 2 < groups) js = list(k + 2);
    } else {
      four(now, q);
      if (k + 1 < groups) now = list(k + 1);
    }
    const std::uint32_t place[4] = {places.x, places.y, places.z, places.w};
    T d[4][3], c[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      const T r2 = length2<images>(p, q[u], s.space, d[u]);
      const bool in = r2 <= s.cutoff2 && place[u] != i;
      c[u] = c_of(law, in ? r2 : s.cutoff2);
      c[u] = in ? c[u] : T(0);
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      a.x = fused(c[u], d[u][0], a.x);
      a.y = fused(c[u], d[u][1], a.y);
      a.z = fused(c[u], d[u][2], a.z);
    }
  }
  return a;
}

/// Returns whether no neighbour is across the periodic boundaries of an axis.
template <class T>
__device__ __forceinline__ bool is_inside(const Particles<T, Solid<T>>& s, T x, int axis) {
  return s.space.period[axis] == 0 || (x - s.space.low[axis] > s.margin && s.space.high[axis] - x > s.margin);
}
template <class Law, class T>
__device__ __forceinline__ Solid<T> sum_of_list(const Particles<T, Solid<T>>& s, const Law& law, const Solid<T>* from,
                                                unsigned i, const Solid<T>& p, unsigned length, const Four& first) {
  const bool inside = is_inside(s, p.x, 0) && is_inside(s, p.y, 1) && is_inside(s, p.z, 2);
  if (s.grid.narrow) return sum_of_list<Images::narrow>(s, law, from, i, p, length, first);
  if (__all_sync(__activemask(), inside)) return sum_of_list<Images::none>(s, law, from, i, p, length, first);
  return sum_of_list<Images::wide>(s, law, from, i, p, length, first);
}

/// Returns whether particles of some rank have moved too far for the lists.
template <class T>
__device__ __forceinline__ bool are_far(const Particles<T, Solid<T>>& s) {
  bool far = false;
  for (int rank = 0; s.words != nullptr && rank < s.ranks; ++rank) far = far || s.words[rank].far != 0;
  return far;
}

/// Pass `pass` of a cycle; −1: a single pass. If shared: the pass after so many drifts since lists were built.
template <class Law, class T>
__global__ void __launch_bounds__(cell_block, list_blocks_at_once)
    pass_by_lists(const __grid_constant__ Particles<T, Solid<T>> s, int pass) {
  const unsigned i = thread_of_all();
  wait_for_previous_kernel();
  Control& control = *s.control;
  const bool shared = s.ranks > 0;
  int* const stale = shared || pass < 0 ? &control.word.far : &control.stale[pass + 1];
  if (shared ? are_far(s) : pass >= 0 && control.stale[pass] != 0) {
    if (i == 0) *stale = 1;
    return;
  }
  const int done = pass < 0 ? control.before : pass, after = s.motion.drifts > 0 ? done + 1 : done;
  const bool has_cells = shared ? s.words != nullptr : pass >= 0 || control.has_cells != 0;
  if (i == 0) {
    control.done = after;
    control.remaining.passed = pass + 1;
  }
  if (i >= s.n) return;
  const int at = position_of(done), to = position_of(after);
  const Solid<T>* from = s.position[at];
  // All loads come first.
  Solid<T> p = from[i], v = s.velocity[at][i], a;
  const Solid<T> built = s.position[0][i];
  if (s.forces) {
    const std::uint16_t length = s.length[i];
    const Four first = s.list[i];
    const Law law(s.parameters);
    a = length == too_long ? sum_without_list(s, law, from, built, i) : sum_of_list(s, law, from, i, p, length, first);
    const T target_factor = s.target_factor == nullptr ? s.same_target_factor : static_cast<T>(s.target_factor[p.id]);
    a.x *= target_factor, a.y *= target_factor, a.z *= target_factor;
    if (s.keep) s.acceleration[i] = a;
  } else {
    a = s.acceleration[i];
  }
  if (s.motion.kicks + s.motion.drifts == 0) return;
  const std::uint32_t id = shared ? i : p.id;
  move_along(s, 0, p.x, v.x, a.x, id);
  move_along(s, 1, p.y, v.y, a.y, id);
  move_along(s, 2, p.z, v.z, a.z, id);
  if (s.motion.drifts > 0) s.position[to][i] = p;
  s.velocity[to][i] = v;
  T d[3];
  if (s.motion.drifts > 0 && has_cells && !(length2<Images::narrow>(built, p, s.space, d) <= s.max_moved2)) *stale = 1;
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block)
    potentials_by_lists(const __grid_constant__ Particles<T, Solid<T>> s, double* potential, double* virial) {
  const unsigned i = thread_of_all();
  if (i >= s.n) return;
  const Law law(s.parameters);
  const Solid<T>* position = s.position[position_of(s.control->done)];
  const Solid<T> p = position[i];
  T u = 0, w = 0;
  const auto meet = [&](T r2, const T(&)[3]) {
    u = u + u_of(law, r2);
    w = fused(c_of(law, r2), r2, w);
  };
  const std::uint16_t length = s.length[i];
  if (length == too_long) {
    meet_ascending(s, position, s.position[0][i], i, meet);
  } else {
    for (unsigned k = 0; k < length; ++k) {
      const Four& four = s.list[static_cast<std::size_t>(k / 4) * s.stride + i];
      T d[3];
      const T r2 =
          length2<Images::narrow>(p, position[reinterpret_cast<const std::uint32_t*>(&four)[k % 4]], s.space, d);
      if (r2 <= s.cutoff2) meet(r2, d);
    }
  }
  const T target_factor = s.target_factor == nullptr ? s.same_target_factor : static_cast<T>(s.target_factor[p.id]);
  const std::uint32_t to = s.ranks > 0 ? i : p.id;
  potential[to] = static_cast<double>(target_factor * u);
  virial[to] = static_cast<double>(target_factor * w);
}

}  // namespace orrery::sim::cuda
