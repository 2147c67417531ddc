// SPDX-License-Identifier: MIT
// Passes in a plane where few particles have a neighbour: each searches the cells around it. Cells are made every few passes; in
// between the search reaches as much further as anybody may have come since, so that what is found is always right.
#pragma once

#include "sim/backends/cuda/launch.cuh"
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

/// Σ over the neighbours of particle i, in a, if they are two at most; else false.
template <class Law, class T>
__device__ __forceinline__ bool sum_of_neighbours(const Particles<T, Flat<T>>& s, const Law& law,
                                                  const Flat<T>* position, const std::uint32_t* id, unsigned i,
                                                  const Flat<T>& p, const Window& window, Flat<T>& a) {
  constexpr int ahead = 3;  // candidates that are loaded before the first is looked at
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
  if (found > 2) return false;
  if (found == 2 && id[second] < id[first]) {
    const unsigned other = first;
    first = second, second = other;
  }
  for (; found > 0; --found, first = second) {
    const Flat<T> q = position[first];
    const T dx = q.x - p.x, dy = q.y - p.y, c = c_of(law, fused(dx, dx, dy * dy));
    a.x = fused(c, dx, a.x);
    a.y = fused(c, dy, a.y);
  }
  return true;
}

/// How far a search must reach: what anybody may have come since cells were made is added to the cutoff. While others of this pass
/// say that they are faster, what is read may be more than it need be.
template <class T>
__device__ __forceinline__ float reach_of(const Particles<T, Flat<T>>& s) {
  if (s.at.travelled == 0) return s.reach;
  return s.reach + s.at.travelled * __uint_as_float(s.control->fastest[s.slot]) * 1.0001F;
}

template <class T>
__device__ __forceinline__ void store(const Particles<T, Flat<T>>& s, unsigned i, const Flat<T>& p, const Flat<T>& v,
                                      float speed, float fastest) {
  s.position[s.drifts ? 1 - s.at.position : s.at.position][i] = p;
  s.velocity[s.at.velocity][i] = v;
  if (speed > fastest) atomicMax(&s.control->fastest[s.slot], __float_as_uint(speed));
  if (s.counts) s.rank[i] = atomicAdd(&s.count[cell_of(s.grid, p)], 1U);
}

/// What seldom happens stands at the end of a pass and apart, so that nothing needs to be kept across a call.
template <class T>
__device__ __noinline__ void cross_and_store(const Particles<T, Flat<T>>& s, unsigned i, Flat<T> p, Flat<T> a,
                                             float fastest) {
  Flat<T> v = s.velocity[s.at.velocity][i];
  const float speed = fmaxf(move_along(s, 0, p.x, v.x, a.x, 0), move_along(s, 1, p.y, v.y, a.y, 0));
  store(s, i, p, v, speed, fastest);
}
template <class T>
__device__ __forceinline__ void end_pass(const Particles<T, Flat<T>>& s, unsigned i, const Flat<T>& at, Flat<T> a,
                                         float fastest) {
  if (s.forces) {
    const T response = s.response == nullptr ? s.same_response : static_cast<T>(s.response[s.id[s.at.velocity][i]]);
    a.x *= response, a.y *= response;
    if (s.keep) s.acceleration[i] = a;
  }
  if (s.motion.count == 0) return;
  Flat<T> p = at, v = s.velocity[s.at.velocity][i];
  float speed = 0;
  const bool stays = stays_along(s, 0, p.x, v.x, a.x, speed) && stays_along(s, 1, p.y, v.y, a.y, speed);
  if (!stays) return cross_and_store(s, i, at, a, fastest);
  store(s, i, p, v, speed, fastest);
}
template <class Law, class T>
__device__ __noinline__ void end_pass_of_many(const Particles<T, Flat<T>>& s, const Law& law, unsigned i,
                                              const Window& window, float fastest) {
  const Flat<T>* position = s.position[s.at.position];
  Flat<T> a{0, 0};
  meet_ascending(s, position, s.id[s.at.velocity], i, window, [&](T dx, T dy) {
    const T c = c_of(law, fused(dx, dx, dy * dy));
    a.x = fused(c, dx, a.x);
    a.y = fused(c, dy, a.y);
  });
  end_pass(s, i, position[i], a, fastest);
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block, cell_blocks_at_once)
    pass_by_search(const __grid_constant__ Particles<T, Flat<T>> s) {
  const unsigned i = thread_of_all();
  wait_for_earlier();
  if (i == 0) s.control->fastest[1 - s.slot] = 0;
  if (i >= s.n) return;
  const Flat<T>* __restrict__ from = s.position[s.at.position];
  const Flat<T> p = from[i];
  const float fastest = __uint_as_float(s.control->fastest[s.slot]);
  if (!s.forces) return end_pass(s, i, p, s.acceleration[i], fastest);
  const Law law(s.numbers);
  const Window window = window_of(s.grid, p, reach_of(s));
  Flat<T> a{0, 0};
  if (!sum_of_neighbours(s, law, from, s.id[s.at.velocity], i, p, window, a))
    return end_pass_of_many(s, law, i, window, fastest);
  end_pass(s, i, p, a, fastest);
}

template <class Law, class T>
__global__ void __launch_bounds__(cell_block)
    potentials_by_search(const __grid_constant__ Particles<T, Flat<T>> s, double* potential, double* virial) {
  const unsigned i = thread_of_all();
  if (i >= s.n) return;
  const Law law(s.numbers);
  const Flat<T>* position = s.position[s.at.position];
  const std::uint32_t* id = s.id[s.at.velocity];
  T u = 0, w = 0;
  meet_ascending(s, position, id, i, window_of(s.grid, position[i], reach_of(s)), [&](T dx, T dy) {
    const T r2 = fused(dx, dx, dy * dy);
    u = u + u_of(law, r2);
    w = fused(c_of(law, r2), r2, w);
  });
  const T response = s.response == nullptr ? s.same_response : static_cast<T>(s.response[id[i]]);
  potential[id[i]] = static_cast<double>(response * u);
  virial[id[i]] = static_cast<double>(response * w);
}

}  // namespace orrery::sim::cuda
