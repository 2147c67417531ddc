// SPDX-License-Identifier: MIT
// Passes in a plane with few neighbours: each particle searches the cells around it. Particles are sorted every few
// passes; in between the search radius grows by the maximum displacement, so that it always finds all neighbours.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/cells/cuda/sort.cuh"

namespace orrery::sim::cuda {

/// Cells of a search: columns x0 … x1 − 1 of rows y0 … y1.
struct Window {
  unsigned x0, x1, y0, y1;
};
__device__ __forceinline__ Window window_of(const CellGrid& grid, const Flat<float>& p, float reach) {
  const auto cell = [&](int axis, float x) { return static_cast<unsigned>(line(grid, axis, x)); };
  return {cell(0, p.x - reach), cell(0, p.x + reach) + 1, cell(1, p.y - reach), cell(1, p.y + reach)};
}

/// Calls meet(dx, dy) for the particles within the cutoff in ascending order, without memory or limit: for three and
/// more neighbours, and for potentials.
template <class T, class Meet>
__device__ __forceinline__ void meet_ascending(const Particles<T, Flat<T>>& s, const Flat<T>* position,
                                               const std::uint32_t* id, unsigned i, const Window& window,
                                               const Meet& meet) {
  const Flat<T> p = position[i];
  long long last = -1;
  while (true) {
    long long least = 1LL << 40;
    unsigned at = 0;
    for (unsigned row = window.y0; row <= window.y1; ++row) {
      const unsigned cells = row * static_cast<unsigned>(s.grid.row), end = s.start[cells + window.x1];
      for (unsigned j = s.start[cells + window.x0]; j < end; ++j) {
        const T dx = position[j].x - p.x, dy = position[j].y - p.y;
        if (fused(dx, dx, dy * dy) <= s.cutoff2 && j != i && id[j] > last && id[j] < least) least = id[j], at = j;
      }
    }
    if (least == 1LL << 40) return;
    meet(position[at].x - p.x, position[at].y - p.y);
    last = least;
  }
}

/// The last two candidates of particle i, and their number. The search is in floats, which may find a few too many but
/// misses none at any coordinates. `ahead`: number of candidates loaded before the first is tested.
struct PossibleNeighbours {
  unsigned first, second;
  int found;
};
template <int ahead, class T>
__device__ __forceinline__ PossibleNeighbours possible_neighbours(const Particles<T, Flat<T>>& s,
                                                                  const Flat<float>* rounded, unsigned i,
                                                                  const Flat<float>& p, const Window& window) {
  const float near = s.reach + 4.8e-7F * fmaxf(fabsf(p.x), fabsf(p.y)), near2 = near * near;
  PossibleNeighbours all{0, 0, 0};
  const auto width = static_cast<unsigned>(s.grid.row);
  for (unsigned row = window.y0; row <= window.y1; row += 3) {  // three rows as one run of candidates
    const unsigned left = row * width + window.x0, right = row * width + window.x1;
    const int b0 = static_cast<int>(s.start[left]), n0 = static_cast<int>(s.start[right]) - b0;
    int b1 = 0, n1 = n0, b2 = 0, n2 = n0;
    if (row < window.y1) {
      b1 = static_cast<int>(s.start[left + width]);
      n2 = n1 = n0 + static_cast<int>(s.start[right + width]) - b1;
      b1 -= n0;
    }
    if (row + 1 < window.y1) {
      b2 = static_cast<int>(s.start[left + 2 * width]);
      n2 = n1 + static_cast<int>(s.start[right + 2 * width]) - b2;
      b2 -= n1;
    }
    for (int t = 0; t < n2; t += ahead) {
      Flat<float> q[ahead];
      unsigned j[ahead];
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        const int w = t + u;
        j[u] = w < n2 ? static_cast<unsigned>(w + (w < n0 ? b0 : w < n1 ? b1 : b2)) : i;
        q[u] = rounded[j[u]];
      }
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        const float dx = q[u].x - p.x, dy = q[u].y - p.y;
        if (!(fmaf(dx, dx, dy * dy) > near2) && j[u] != i) all.second = all.first, all.first = j[u], ++all.found;
      }
    }
  }
  return all;
}

/// Sums over at most two neighbours, in ascending order.
template <class Law, class T>
__device__ __forceinline__ Flat<T> sum_of_two(const Particles<T, Flat<T>>& s, const Law& law, const Flat<T>* position,
                                              const std::uint32_t* id, const Flat<T>& p, PossibleNeighbours all) {
  if (all.found == 2 && id[all.second] < id[all.first]) {
    const unsigned other = all.first;
    all.first = all.second, all.second = other;
  }
  Flat<T> a{0, 0};
  for (; all.found > 0; --all.found, all.first = all.second) {
    const Flat<T> q = position[all.first];
    const T dx = q.x - p.x, dy = q.y - p.y, r2 = fused(dx, dx, dy * dy);
    if (!(r2 <= s.cutoff2)) continue;
    const T c = c_of(law, r2);
    a.x = fused(c, dx, a.x);
    a.y = fused(c, dy, a.y);
  }
  return a;
}

/// Returns the search radius: the cutoff plus the maximum displacement since the sort. `fastest` may already include
/// speeds of this pass, which only increases the radius.
template <class T>
__device__ __forceinline__ float reach_of(const Particles<T, Flat<T>>& s, const SearchState& search, float fastest) {
  return search.travelled == 0 ? s.reach : s.reach + search.travelled * fastest * 1.0001F;
}
/// Returns the maximum speed since the sort. If particles are shared, all ranks and threads find the same, as these
/// speeds are those of completed passes.
template <class T>
__device__ __forceinline__ float speed_of(const Particles<T, Flat<T>>& s, const SearchState& search,
                                          const unsigned* fastest) {
  if (s.words == nullptr) return __uint_as_float(*fastest);
  unsigned all = 0;
  for (int rank = 0; rank < s.ranks; ++rank) all = max(all, s.words[rank].fastest[search.slot]);
  return __uint_as_float(all);
}

template <class T>
__device__ __forceinline__ void store(const Particles<T, Flat<T>>& s, const SearchState& search, const Buffers<T>& now,
                                      unsigned i, const Flat<T>& p, const Flat<T>& v, float speed, float fastest) {
  now.to[i] = p;
  if constexpr (sizeof(T) > sizeof(float)) now.rounded_to[i] = {static_cast<float>(p.x), static_cast<float>(p.y)};
  now.velocity[i] = v;
  if (speed > fastest) atomicMax(now.fastest, __float_as_uint(speed));
  if (!search.counts) return;
  const std::uint32_t rank = count_in_cell(s, p);
  s.rank[i] = rank;
  if (rank == elsewhere) list_leaving(s, 1 - search.velocity, i);
}

/// Rare cases are separate functions at the end of a pass, so that no registers are kept across calls.
template <class T>
__device__ __noinline__ void cross_and_store(const Particles<T, Flat<T>>& s, SearchState search, unsigned i,
                                             Flat<T> a) {
  const Buffers<T> now = buffers_of(s, search);
  Flat<T> p = now.from[i], v = now.velocity[i];
  const float speed = fmaxf(move_along(s, 0, p.x, v.x, a.x, 0), move_along(s, 1, p.y, v.y, a.y, 0));
  store(s, search, now, i, p, v, speed, 0);
}
template <class T>
__device__ __forceinline__ void end_pass(const Particles<T, Flat<T>>& s, const SearchState& search,
                                         const Buffers<T>& now, unsigned i, Flat<T> p, Flat<T> a, float fastest) {
  if (s.forces) {
    const T target_factor =
        s.target_factor == nullptr ? s.same_target_factor : static_cast<T>(s.target_factor[now.id[i]]);
    a.x *= target_factor, a.y *= target_factor;
    if (s.keep) s.acceleration[i] = a;
  }
  if (s.motion.kicks + s.motion.drifts == 0) return;
  Flat<T> v = now.velocity[i];
  // All kicks precede the first drift, so the final speed is that of all drifts.
  if (!stays(s, p, v, a)) return cross_and_store(s, search, i, a);
  store(s, search, now, i, p, v, fmaxf(fabsf(static_cast<float>(v.x)), fabsf(static_cast<float>(v.y))), fastest);
}
template <class Law, class T>
__device__ __noinline__ void end_pass_of_many(const Particles<T, Flat<T>>& s, SearchState search, unsigned i) {
  const Law law(s.parameters);
  const Buffers<T> now = buffers_of(s, search);
  const Flat<T> p = now.from[i];
  const float fastest = speed_of(s, search, now.fastest);
  const Window window =
      window_of(s.grid, {static_cast<float>(p.x), static_cast<float>(p.y)}, reach_of(s, search, fastest));
  Flat<T> a{0, 0};
  meet_ascending(s, now.from, now.id, i, window, [&](T dx, T dy) {
    const T c = c_of(law, fused(dx, dx, dy * dy));
    a.x = fused(c, dx, a.x);
    a.y = fused(c, dy, a.y);
  });
  end_pass(s, search, now, i, p, a, fastest);
}

/// Loads into the cache without occupying a register.
__device__ __forceinline__ void prefetch(const void* memory) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(memory));
}

template <class Law, int ahead, class T>
__device__ __forceinline__ void pass_of(const Particles<T, Flat<T>>& s, const SearchState& search,
                                        const Buffers<T>& now, unsigned i, const Flat<T>& p, float fastest) {
  if (!s.forces) return end_pass(s, search, now, i, p, s.acceleration[i], fastest);
  prefetch(now.velocity + i);
  const Flat<float> rounded{static_cast<float>(p.x), static_cast<float>(p.y)};
  const PossibleNeighbours all =
      possible_neighbours<ahead>(s, now.rounded, i, rounded, window_of(s.grid, rounded, reach_of(s, search, fastest)));
  if (all.found > 2) return end_pass_of_many<Law>(s, search, i);
  end_pass(s, search, now, i, p, sum_of_two(s, Law(s.parameters), now.from, now.id, p, all), fastest);
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block, search_blocks_at_once)
    pass_by_search(const __grid_constant__ Particles<T, Flat<T>> s) {
  const unsigned i = thread_of_all();
  wait_for_previous_kernel();
  let_next_kernel_start();
  const Flat<T> p = i < s.n ? s.now.from[i] : Flat<T>{};
  const float fastest = speed_of(s, s.search, s.now.fastest);
  if (s.words != nullptr && is_beyond_halo(s, s.search, fastest)) return;
  if (i == 0) *s.now.fastest_next = 0;
  if (i == 0 && s.ranks > 0) s.control->done = s.search.moves + (s.schedule.drifts ? 1 : 0);
  if (i < s.n) pass_of<Law, 3>(s, s.search, s.now, i, p, fastest);
}

/// All passes by the blocks of one cluster, whose barriers are faster than launches.
template <class Law, class T>
__global__ void __launch_bounds__(cluster_block, 1)
    passes_in_a_cluster(const __grid_constant__ Particles<T, Flat<T>> s) {
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned share = (s.n + cluster_blocks - 1) / cluster_blocks;
  const unsigned begin = share * blockIdx.x, end = min(begin + share, s.n);
  SearchState search = s.search;
  for (long long pass = 0; pass < s.times; ++pass) {
    if (s.schedule.sorts_before(search)) {
      sort_in_a_cluster(s, search, begin, end);
      SortSchedule::sorted(search);
    }
    s.schedule.begin(search);
    const Buffers<T> now = buffers_of(s, search);
    if (blockIdx.x == 0 && threadIdx.x == 0) *now.fastest_next = 0;
    for (unsigned i = begin + threadIdx.x; i < end; i += cluster_block)
      pass_of<Law, 8>(s, search, now, i, now.from[i], speed_of(s, search, now.fastest));
    cluster.sync();
    s.schedule.end(search);
    if (SortSchedule::sorts_after(search)) {
      sort_in_a_cluster(s, search, begin, end);
      SortSchedule::sorted(search);
    }
  }
#endif
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block)
    potentials_by_search(const __grid_constant__ Particles<T, Flat<T>> s, double* potential, double* virial) {
  const unsigned i = thread_of_all();
  if (i >= s.n) return;
  const Law law(s.parameters);
  const Buffers<T> now = buffers_of(s, s.search);
  const Flat<float> p{static_cast<float>(now.from[i].x), static_cast<float>(now.from[i].y)};
  T u = 0, w = 0;
  const Window window = window_of(s.grid, p, reach_of(s, s.search, speed_of(s, s.search, now.fastest)));
  meet_ascending(s, now.from, now.id, i, window, [&](T dx, T dy) {
    const T r2 = fused(dx, dx, dy * dy);
    u = u + u_of(law, r2);
    w = fused(c_of(law, r2), r2, w);
  });
  const unsigned number = now.id[i];
  const T target_factor = s.target_factor == nullptr ? s.same_target_factor : static_cast<T>(s.target_factor[number]);
  const unsigned to = s.ranks > 0 ? i : number;
  potential[to] = static_cast<double>(target_factor * u);
  virial[to] = static_cast<double>(target_factor * w);
}

}  // namespace orrery::sim::cuda
