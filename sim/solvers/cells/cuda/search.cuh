// SPDX-License-Identifier: MIT
// Passes in a plane where few particles have a neighbour: each searches the cells around it. Cells are made every few passes; in
// between the search reaches as much further as anybody may have come since, so that what is found is always right.
#pragma once

#include "sim/solvers/cells/cuda/arithmetic.cuh"
#include "sim/solvers/cells/cuda/cells.cuh"
#include "sim/solvers/cells/cuda/move.cuh"

namespace orrery::sim::cuda {

/// Cells that a search touches: columns x0 … x1 − 1 of rows y0 … y1.
struct Window {
  int x0, x1, y0, y1;
};
template <class T>
__device__ __forceinline__ Window window_of(const CellGrid& grid, const Flat<T>& p, float reach) {
  const auto x = static_cast<float>(p.x), y = static_cast<float>(p.y);
  return {line(grid, 0, x - reach), line(grid, 0, x + reach) + 1, line(grid, 1, y - reach), line(grid, 1, y + reach)};
}

/// Those within the cutoff one after the other, in ascending number: for three and more, and for who wants more than forces. It
/// needs no memory and knows no limit.
template <class T, class Meet>
__device__ __forceinline__ void meet_ascending(const Particles<T, Flat<T>>& s, const Flat<T>* position,
                                               const std::uint32_t* id, unsigned i, const Window& window,
                                               const Meet& meet) {
  const Flat<T> p = position[i];
  long long last = -1;
  while (true) {
    long long least = 1LL << 40;
    unsigned at = 0;
    for (int row = window.y0; row <= window.y1; ++row) {
      const unsigned end = s.start[row * s.grid.cells[0] + window.x1];
      for (unsigned j = s.start[row * s.grid.cells[0] + window.x0]; j < end; ++j) {
        const T dx = position[j].x - p.x, dy = position[j].y - p.y;
        if (fused(dx, dx, dy * dy) <= s.cutoff2 && j != i && id[j] > last && id[j] < least) least = id[j], at = j;
      }
    }
    if (least == 1LL << 40) return;
    meet(position[at].x - p.x, position[at].y - p.y);
    last = least;
  }
}

template <class Law, class T>
__device__ __noinline__ Flat<T> sum_of_many(const Particles<T, Flat<T>>& s, const Law& law, const Flat<T>* position,
                                            const std::uint32_t* id, unsigned i, const Window& window) {
  Flat<T> a{0, 0};
  meet_ascending(s, position, id, i, window, [&](T dx, T dy) {
    const T c = c_of(law, fused(dx, dx, dy * dy));
    a.x = fused(c, dx, a.x);
    a.y = fused(c, dy, a.y);
  });
  return a;
}

/// Σ over the neighbours of particle i.
template <class Law, class T>
__device__ __forceinline__ Flat<T> sum_of_neighbours(const Particles<T, Flat<T>>& s, const Law& law,
                                                     const Flat<T>* position, const std::uint32_t* id, unsigned i,
                                                     const Flat<T>& p, float reach) {
  constexpr int ahead = 2;  // candidates that are loaded before the first is looked at
  const Window window = window_of(s.grid, p, reach);
  int found = 0;
  unsigned first = 0, second = 0;
  for (int row = window.y0; row <= window.y1; row += 3) {  // three rows as one run of candidates
    const std::uint32_t* cells = s.start + row * s.grid.cells[0];
    const int b0 = static_cast<int>(cells[window.x0]), n0 = static_cast<int>(cells[window.x1]) - b0;
    int b1 = 0, n1 = n0, b2 = 0, n2 = n0;
    if (row < window.y1) {
      cells += s.grid.cells[0];
      b1 = static_cast<int>(cells[window.x0]);
      n2 = n1 = n0 + static_cast<int>(cells[window.x1]) - b1;
      b1 -= n0;
    }
    if (row + 1 < window.y1) {
      cells += s.grid.cells[0];
      b2 = static_cast<int>(cells[window.x0]);
      n2 = n1 + static_cast<int>(cells[window.x1]) - b2;
      b2 -= n1;
    }
    for (int t = 0; t < n2; t += ahead) {
      Flat<T> q[ahead];
      unsigned j[ahead];
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        const int w = t + u;
        j[u] = w < n2 ? static_cast<unsigned>(w + (w < n0 ? b0 : w < n1 ? b1 : b2)) : i;
        q[u] = position[j[u]];
      }
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        const T dx = q[u].x - p.x, dy = q[u].y - p.y;
        if (fused(dx, dx, dy * dy) <= s.cutoff2 && j[u] != i) second = first, first = j[u], ++found;
      }
    }
  }
  if (found > 2) return sum_of_many(s, law, position, id, i, window);
  if (found == 2 && id[second] < id[first]) {
    const unsigned other = first;
    first = second, second = other;
  }
  Flat<T> a{0, 0};
  for (; found > 0; --found, first = second) {
    const Flat<T> q = position[first];
    const T dx = q.x - p.x, dy = q.y - p.y, c = c_of(law, fused(dx, dx, dy * dy));
    a.x = fused(c, dx, a.x);
    a.y = fused(c, dy, a.y);
  }
  return a;
}

/// How far a search must reach where nobody was faster than that since cells were made.
template <class T>
__device__ __forceinline__ float reach_of(const Particles<T, Flat<T>>& s, const Progress& progress, float fastest) {
  return progress.travelled == 0 ? s.reach : s.reach + progress.travelled * fastest * 1.0001F;
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block, cell_blocks_at_once)
    passes_by_search(const __grid_constant__ Particles<T, Flat<T>> s) {
  const WholeGrid grid = cooperative_groups::this_grid();
  const Law law(s.numbers);
  Progress progress = s.control->progress;
  float way = 0;  // of a pass
  for (int k = 0; k < s.motion.count; ++k) {
    if (s.motion.is_drift[k]) way += fabsf(static_cast<float>(s.motion.dt[k])) * 1.0001F;
  }
  for (long long pass = 0; pass < s.times; ++pass) {
    unsigned* const now = &s.control->fastest[progress.pass % 3];
    unsigned* const next = &s.control->fastest[(progress.pass + 1) % 3];
    float fastest = __uint_as_float(*static_cast<volatile unsigned*>(now));
    const float reach = reach_of(s, progress, fastest);
    bool anew = false;
    if (s.forces && (progress.has_cells == 0 || progress.moves >= passes_of_cells || !(reach <= s.most_reach))) {
      make_cells(s, progress, grid);
      anew = true;
    }
    if (thread_of_all() == 0) {
      s.control->fastest[(progress.pass + 2) % 3] = 0;
      if (!anew) atomicMax(next, __float_as_uint(fastest));
    }
    const float wide = anew ? s.reach : reach;
    const Flat<T>* from = s.position[progress.position];
    Flat<T>* const to = s.position[way > 0 ? 1 - progress.position : progress.position];
    Flat<T>* const velocity = s.velocity[progress.velocity];
    const std::uint32_t* id = s.id[progress.velocity];
    float mine = 0;
    for (unsigned i = thread_of_all(); i < s.n; i += all_threads()) {
      Flat<T> p = from[i], a;
      if (s.forces) {
        a = sum_of_neighbours(s, law, from, id, i, p, wide);
        const T response = s.response == nullptr ? s.same_response : static_cast<T>(s.response[id[i]]);
        a.x *= response, a.y *= response;
        if (s.keep) s.acceleration[i] = a;
      } else {
        a = s.acceleration[i];
      }
      if (s.motion.count == 0) continue;
      Flat<T> v = velocity[i];
      mine = fmaxf(mine, move(s, p, v, a, s.image[0] != nullptr || s.image[1] != nullptr ? id[i] : 0));
      to[i] = p;
      velocity[i] = v;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) mine = fmaxf(mine, __shfl_xor_sync(~0U, mine, lanes));
    if (threadIdx.x % 32 == 0 && mine > (anew ? 0.0F : fastest)) atomicMax(next, __float_as_uint(mine));
    if (way > 0) {
      progress.position = 1 - progress.position;
      progress.travelled += way;
      ++progress.moves;
    }
    ++progress.pass;
    grid.sync();
  }
  if (thread_of_all() == 0) s.control->progress = progress;
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block)
    potentials_by_search(const __grid_constant__ Particles<T, Flat<T>> s, double* potential, double* virial) {
  const unsigned i = thread_of_all();
  if (i >= s.n) return;
  const Law law(s.numbers);
  const Progress progress = s.control->progress;
  const Flat<T>* position = s.position[progress.position];
  const std::uint32_t* id = s.id[progress.velocity];
  const float fastest = __uint_as_float(s.control->fastest[progress.pass % 3]);
  T u = 0, w = 0;
  meet_ascending(s, position, id, i, window_of(s.grid, position[i], reach_of(s, progress, fastest)), [&](T dx, T dy) {
    const T r2 = fused(dx, dx, dy * dy);
    u = u + u_of(law, r2);
    w = fused(c_of(law, r2), r2, w);
  });
  const T response = s.response == nullptr ? s.same_response : static_cast<T>(s.response[id[i]]);
  potential[id[i]] = static_cast<double>(response * u);
  virial[id[i]] = static_cast<double>(response * w);
}

}  // namespace orrery::sim::cuda
