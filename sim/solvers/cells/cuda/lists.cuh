// SPDX-License-Identifier: MIT
// Passes where particles have many neighbours: each has a list of those within the cutoff and a skin, in ascending number. When
// somebody has come further than half of the skin all lists are made anew before the next forces.
#pragma once

#include "sim/solvers/cells/cuda/arithmetic.cuh"
#include "sim/solvers/cells/cuda/cells.cuh"
#include "sim/solvers/cells/cuda/move.cuh"

namespace orrery::sim::cuda {

template <bool inside, class T>
__device__ __forceinline__ T length2_of(const Solid<T>& p, const Solid<T>& q, const Space<T>& space, T (&d)[3]) {
  d[0] = q.x - p.x, d[1] = q.y - p.y, d[2] = q.z - p.z;
  if constexpr (!inside) {
    for (int axis = 0; axis < 3; ++axis) d[axis] = nearest_of(d[axis], space.period[axis]);
  }
  return fused(d[0], d[0], fused(d[1], d[1], d[2] * d[2]));
}
template <class T>
__device__ __forceinline__ T length2(const Solid<T>& p, const Solid<T>& q, const Space<T>& space, T (&d)[3]) {
  return length2_of<false>(p, q, space, d);
}

/// Neighbours of cell c along an axis are first … first + count − 1, where joined ends go around. Each cell comes once.
struct Reach1 {
  int first, count;
};
__device__ __forceinline__ Reach1 around(const CellGrid& grid, int axis, int c) {
  const int cells = grid.cells[axis];
  if (cells <= 3 && grid.joined[axis]) return {0, cells};
  if (grid.joined[axis]) return {c - 1, 3};
  const int low = max(c - 1, 0), high = min(c + 1, cells - 1);
  return {low, high - low + 1};
}
__device__ __forceinline__ int wrapped(int c, int cells) {
  return c < 0 ? c + cells : c >= cells ? c - cells : c;
}

/// visit(begin, end) for runs of places that hold everybody in the cells around a place in space.
template <class Visit>
__device__ __forceinline__ void visit_around(const CellGrid& grid, const std::uint32_t* start, float x, float y,
                                             float z, const Visit& visit) {
  const Reach1 xs = around(grid, 0, line(grid, 0, x)), ys = around(grid, 1, line(grid, 1, y)),
               zs = around(grid, 2, line(grid, 2, z));
  // A row that leaves the box comes in two runs.
  const int begin = max(xs.first, 0), end = min(xs.first + xs.count, grid.cells[0]);
  const int over = xs.first < 0 ? grid.cells[0] - 1 : xs.first + xs.count > grid.cells[0] ? 0 : -1;
  for (int a = 0; a < zs.count; ++a) {
    for (int b = 0; b < ys.count; ++b) {
      const int cy = wrapped(ys.first + b, grid.cells[1]), cz = wrapped(zs.first + a, grid.cells[2]);
      const std::uint32_t* cells = start + (cz * grid.cells[1] + cy) * grid.cells[0];
      visit(cells[begin], cells[end]);
      if (over >= 0) visit(cells[over], cells[over + 1]);
    }
  }
}

/// One of the four.
__device__ __forceinline__ std::uint32_t& at(Four& four, int k) {
  return reinterpret_cast<std::uint32_t*>(&four)[k];
}

/// Neighbours of one particle in any order: entry k is at [k · stride].
struct Found {
  std::uint32_t *id, *place;
  std::size_t stride;
};

/// The list of particle i. Who is near is written down in any order; the place of a neighbour is then the number of smaller
/// numbers. Floats will do: a list may hold some too many, and the order of those who count is not touched.
template <class T>
__device__ __forceinline__ void make_list(const Particles<T, Solid<T>>& s, const float (&period)[3], unsigned i,
                                          const Found& all) {
  constexpr int ahead = 4;  // candidates that are loaded before the first is looked at
  const float reach2 = s.reach * s.reach;
  const int room = 4 * s.groups;
  const Solid<float> p = s.near[i];
  int found = 0;
  visit_around(s.grid, s.start, p.x, p.y, p.z, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t j = begin; j < end; j += ahead) {
      Solid<float> q[ahead];
#pragma unroll
      for (std::uint32_t u = 0; u < ahead; ++u) q[u] = s.near[min(j + u, end - 1)];
#pragma unroll
      for (std::uint32_t u = 0; u < ahead; ++u) {
        const float dx = nearest_of(q[u].x - p.x, period[0]), dy = nearest_of(q[u].y - p.y, period[1]),
                    dz = nearest_of(q[u].z - p.z, period[2]);
        if (fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > reach2 || q[u].id == p.id || j + u >= end) continue;
        if (found < room) all.id[found * all.stride] = q[u].id, all.place[found * all.stride] = j + u;
        ++found;
      }
    }
  });
  if (found > room) {
    atomicMax(&s.control->longest, static_cast<unsigned>(found));
    s.length[i] = too_long;
    return;
  }
  for (int k = 0; k < found; ++k) {
    const std::uint32_t id = all.id[k * all.stride];
    int order = 0;
    for (int other = 0; other < found; ++other) order += all.id[other * all.stride] < id;
    at(s.list[static_cast<std::size_t>(order / 4) * s.n + i], order % 4) = all.place[k * all.stride];
  }
  for (int k = found; k % 4 != 0; ++k) at(s.list[static_cast<std::size_t>(k / 4) * s.n + i], k % 4) = i;
  s.length[i] = static_cast<std::uint16_t>(found);
}

template <class T>
__device__ __forceinline__ void make_lists(const Particles<T, Solid<T>>& s) {
  extern __shared__ std::uint32_t shared[];
  float period[3];
  for (int axis = 0; axis < 3; ++axis) period[axis] = static_cast<float>(s.space.period[axis]);
  const unsigned room = 4 * static_cast<unsigned>(s.groups);
  for (unsigned i = thread_of_all(); i < s.n; i += all_threads()) {
    const Found found = s.found == nullptr
                            ? Found{shared + threadIdx.x, shared + room * cell_block + threadIdx.x, cell_block}
                            : Found{s.found + i, s.found + static_cast<std::size_t>(room) * s.n + i, s.n};
    make_list(s, period, i, found);
  }
}

/// Those within the cutoff one after the other, in ascending number, from the cells: for particles whose list has no room.
template <class T, class Meet>
__device__ __forceinline__ void meet_ascending(const Particles<T, Solid<T>>& s, const Solid<T>* position,
                                               const Solid<T>& built, unsigned i, const Meet& meet) {
  const Solid<T> p = position[i];
  long long last = -1;
  while (true) {
    long long least = 1LL << 40;
    unsigned place = 0;
    visit_around(s.grid, s.start, static_cast<float>(built.x), static_cast<float>(built.y), static_cast<float>(built.z),
                 [&](std::uint32_t begin, std::uint32_t end) {
                   for (std::uint32_t j = begin; j < end; ++j) {
                     T d[3];
                     const Solid<T> q = position[j];
                     if (length2(p, q, s.space, d) <= s.cutoff2 && j != i && q.id > last && q.id < least)
                       least = q.id, place = j;
                   }
                 });
    if (least == 1LL << 40) return;
    T d[3];
    const T r2 = length2(p, position[place], s.space, d);
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

/// Σ over the list of particle i; `inside`: it and its neighbours are away from joined ends.
template <bool inside, class Law, class T>
__device__ __forceinline__ Solid<T> sum_of_list(const Particles<T, Solid<T>>& s, const Law& law,
                                                const Solid<T>* position, unsigned i, const Solid<T>& p,
                                                unsigned length) {
  Solid<T> a{0, 0, 0, 0};
  const unsigned groups = (length + 3) / 4;
  Four js = groups > 0 ? s.list[i] : Four{};
  for (unsigned k = 0; k < groups; ++k) {
    const Solid<T> q[4] = {position[js.x], position[js.y], position[js.z], position[js.w]};
    if (k + 1 < groups) js = s.list[static_cast<std::size_t>(k + 1) * s.n + i];
    T d[4][3], c[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      const T r2 = length2_of<inside>(p, q[u], s.space, d[u]);
      const bool in = r2 <= s.cutoff2 && q[u].id != p.id;
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

/// Nobody on its list is met across the joined ends of that axis.
template <class T>
__device__ __forceinline__ bool is_inside(const Particles<T, Solid<T>>& s, T x, int axis) {
  const T reach = static_cast<T>(s.reach) + static_cast<T>(s.reach);
  return s.space.period[axis] == 0 || (x - s.space.low[axis] > reach && s.space.high[axis] - x > reach);
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block, list_blocks_at_once)
    passes_by_lists(const __grid_constant__ Particles<T, Solid<T>> s) {
  const WholeGrid grid = cooperative_groups::this_grid();
  const Law law(s.numbers);
  Progress progress = s.control->progress;
  bool drifts = false;
  for (int k = 0; k < s.motion.count; ++k) drifts = drifts || s.motion.is_drift[k];
  for (long long pass = 0; pass < s.times; ++pass) {
    const bool stale = *static_cast<volatile int*>(&s.control->stale[progress.pass % 3]) != 0;
    int* const next = &s.control->stale[(progress.pass + 1) % 3];
    const bool anew = s.forces && (progress.has_cells == 0 || stale);
    if (anew) {
      make_cells(s, progress, grid);
      make_lists(s);
      grid.sync();
    }
    if (thread_of_all() == 0) {
      s.control->stale[(progress.pass + 2) % 3] = 0;
      if (stale && !anew) *next = 1;
    }
    const int at = progress.position, other = at == progress.built ? (at + 1) % 3 : 3 - at - progress.built;
    const Solid<T>* from = s.position[at];
    const Solid<T>* built = s.position[progress.built];
    Solid<T>* const to = s.position[drifts ? other : at];
    Solid<T>* const velocity = s.velocity[progress.velocity];
    bool far = false;
    for (unsigned i = thread_of_all(); i < s.n; i += all_threads()) {
      Solid<T> p = from[i], a;
      if (s.forces) {
        const std::uint16_t length = s.length[i];
        const bool inside = is_inside(s, p.x, 0) && is_inside(s, p.y, 1) && is_inside(s, p.z, 2);
        a = length == too_long                   ? sum_without_list(s, law, from, built[i], i)
            : __all_sync(__activemask(), inside) ? sum_of_list<true>(s, law, from, i, p, length)
                                                 : sum_of_list<false>(s, law, from, i, p, length);
        const T response = s.response == nullptr ? s.same_response : static_cast<T>(s.response[p.id]);
        a.x *= response, a.y *= response, a.z *= response;
        if (s.keep) s.acceleration[i] = a;
      } else {
        a = s.acceleration[i];
      }
      if (s.motion.count == 0) continue;
      Solid<T> v = velocity[i];
      move_along(s, 0, p.x, v.x, a.x, p.id);
      move_along(s, 1, p.y, v.y, a.y, p.id);
      move_along(s, 2, p.z, v.z, a.z, p.id);
      if (drifts) to[i] = p;
      velocity[i] = v;
      T d[3];
      if (drifts && progress.has_cells != 0) far = far || !(length2(built[i], p, s.space, d) <= s.most_moved2);
    }
    if (far) *next = 1;
    if (drifts) progress.position = other;
    ++progress.pass;
    grid.sync();
  }
  if (thread_of_all() == 0) s.control->progress = progress;
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block)
    potentials_by_lists(const __grid_constant__ Particles<T, Solid<T>> s, double* potential, double* virial) {
  const unsigned i = thread_of_all();
  if (i >= s.n) return;
  const Law law(s.numbers);
  const Progress progress = s.control->progress;
  const Solid<T>* position = s.position[progress.position];
  const Solid<T> p = position[i];
  T u = 0, w = 0;
  const auto meet = [&](T r2, const T(&)[3]) {
    u = u + u_of(law, r2);
    w = fused(c_of(law, r2), r2, w);
  };
  const std::uint16_t length = s.length[i];
  if (length == too_long) {
    meet_ascending(s, position, s.position[progress.built][i], i, meet);
  } else {
    for (unsigned k = 0; k < length; ++k) {
      const Four& four = s.list[static_cast<std::size_t>(k / 4) * s.n + i];
      T d[3];
      const T r2 = length2(p, position[reinterpret_cast<const std::uint32_t*>(&four)[k % 4]], s.space, d);
      if (r2 <= s.cutoff2) meet(r2, d);
    }
  }
  const T response = s.response == nullptr ? s.same_response : static_cast<T>(s.response[p.id]);
  potential[p.id] = static_cast<double>(response * u);
  virial[p.id] = static_cast<double>(response * w);
}

}  // namespace orrery::sim::cuda
