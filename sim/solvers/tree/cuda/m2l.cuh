// SPDX-License-Identifier: MIT
// The far field: eight threads a target, each with every eighth cell of its list. A warp copies the moments of its 32
// cells to shared memory together while each thread computes its derivatives.
#pragma once

#include <algorithm>

#include "sim/solvers/tree/cuda/eight.cuh"
#include "sim/solvers/tree/cuda/residency.cuh"
#include "sim/solvers/tree/cuda/rows.cuh"
#include "sim/solvers/tree/radial.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {

/// Blocks of one warp, so that none waits for another.
inline constexpr unsigned m2l_block = 32;

/// Adds the effect of moment j to components first … of a series.
template <int j, int first, int... k>
__device__ __forceinline__ void add_moment(Real m, const Real* d, Real* l, tree::Numbers<k...>) {
  ((l[first + k] = fma(m, d[tree::sum_at(tree::indices.of[first + k], tree::indices.of[j])], l[first + k])), ...);
}
template <int P, bool potential, bool dipoles, int j>
__device__ __forceinline__ void add_moment(Real m, const Real* d, Real* l) {
  constexpr int order = j < tree::size_of(P) ? tree::indices.of[j < tree::size_of(P) ? j : 0].n : P + 1;
  constexpr int first = potential ? 0 : 1;
  if constexpr (order <= P && (order != 1 || dipoles)) {
    constexpr int count = tree::size_of(P - order) - first;
    add_moment<j, first>(m, d, l, tree::Upto<count>());
  }
}
template <int P, bool potential, bool dipoles, int... pair>
__device__ __forceinline__ void add_moments(const Sixteen* row, const Real* d, Real* l, tree::Numbers<pair...>) {
  const auto add = [&](auto p) {
    constexpr int j = 2 * decltype(p)::value;
    const Sixteen two = row[j / 2];
    add_moment<P, potential, dipoles, j>(Real(two.low), d, l);
    add_moment<P, potential, dipoles, j + 1>(Real(two.high), d, l);
  };
  (add(std::integral_constant<int, pair>()), ...);
}

/// The target of these eight threads. Eight warps in succession share 32 neighbouring cells, longest lists first, so that
/// a warp's four lists have similar lengths.
__device__ __forceinline__ std::uint32_t m2l_target(const TreeOfForce& tree, std::uint32_t cells, std::uint32_t warp) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = warp / 8 * 32, length = first + lane < cells ? tree.lists[first + lane].far : 0;
  unsigned rank = 0;
  for (unsigned other = 0; other < 32; ++other) {
    const std::uint32_t its = __shfl_sync(~0U, length, static_cast<int>(other));
    rank += its > length || (its == length && other < lane) ? 1 : 0;
  }
  std::uint32_t target = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned place = __ballot_sync(~0U, rank == warp % 8 * 4 + k);
    if (lane / 8 == k) target = first + static_cast<unsigned>(__ffs(static_cast<int>(place))) - 1;
  }
  return target;
}

/// Sums the far field of four cells, by a warp.
template <int P, bool potential, bool dipoles>
__device__ __forceinline__ void sum_far_of(const TreeOfForce& tree, std::uint32_t i, bool is_cell, TreeRows<P>& rows) {
  constexpr int size = tree::size_of(P), first = potential ? 0 : 1;
  const Eight eight;
  const TreeLists lists = is_cell ? tree.lists[i] : TreeLists{};
  const TreePoint target = tree.centre[is_cell ? i : 0];
  const std::uint32_t* const list = tree.list + lists.begin;
  std::uint32_t longest = lists.far;
  for (int lanes = 16; lanes >= static_cast<int>(tree::lanes); lanes /= 2)
    longest = max(longest, __shfl_xor_sync(~0U, longest, lanes));
  Real l[size];
#pragma unroll
  for (int k = first; k < size; ++k) l[k] = Real(0.0);
  // Two rounds ahead: the cells; one round ahead: their centres. There are too few warps to hide the latency.
  const auto cell_at = [&](std::uint32_t k) { return k < lists.far ? list[k] : 0; };
  const auto centre_of = [&](std::uint32_t cell) {
    const TreePoint at = tree.centre[cell];
    return Triple<Real>{Real(at.x), Real(at.y), Real(at.z)};
  };
  std::uint32_t cell = cell_at(eight.lane), next = cell_at(eight.lane + tree::lanes);
  Triple<Real> source = centre_of(cell);
  for (std::uint32_t from = 0; from < longest; from += tree::lanes) {
    const std::uint32_t k = from + eight.lane;
    const Triple<Real> apart{Real(target.x) - source.x, Real(target.y) - source.y, Real(target.z) - source.z};
    __syncwarp();
    rows.start(tree.moments, cell);
    cell = next, source = centre_of(cell), next = cell_at(k + 2 * tree::lanes);
    Real f[P + 1], d[size];
    const Real r2 = fma(apart.x, apart.x, fma(apart.y, apart.y, fma(apart.z, apart.z, Real(tree.softening2))));
    tree::radial_sequence<P, potential>(r2, tree.exponent, f);
    tree::derivatives<P>(apart, f, d);
    wait_for_copies<0>();
    __syncwarp();
    if (k < lists.far)
      add_moments<P, potential, dipoles>(rows.row(threadIdx.x % 32), d, l, tree::Upto<(size + 1) / 2>());
  }
  double* const to = tree.series + std::size_t{i} * row_of(P);
#pragma unroll
  for (int k = first; k < size; ++k) {
    const Real all = Eight::fold_all(l[k]);
    if (is_cell && eight.lane == k % tree::lanes) to[k] = all.value;
  }
}

template <int P, bool potential, bool dipoles>
__global__ void __launch_bounds__(m2l_block) m2l_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ TreeRows<P> rows;
  static_assert(m2l_block == 32);
  const std::uint32_t cells = tree.control->cells, warps = (cells + 31) / 32 * 8;
  for (;;) {
    std::uint32_t warp = 0;
    if (threadIdx.x == 0) warp = atomicAdd(&tree.control->walk.ticket[2], 1U);
    warp = __shfl_sync(~0U, warp, 0);
    if (warp >= warps) return;
    const std::uint32_t i = m2l_target(tree, cells, warp);
    sum_far_of<P, potential, dipoles>(tree, i, i < cells, rows);
  }
}

template <int P>
void start_m2l(const TreeOfForce& tree, bool dipoles, std::uint32_t cells, StreamHandle stream) {
  // The component of order 0 changes no other, so mixed weights have no kernel without it.
  auto* const kernel = dipoles                              ? m2l_kernel<P, true, true>
                       : tree.outputs == Outputs::potential ? m2l_kernel<P, true, false>
                                                            : m2l_kernel<P, false, false>;
  const unsigned blocks = std::min(blocks_for(cells, 4), resident_blocks(kernel, m2l_block));
  kernel<<<blocks, m2l_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the far field");
}

}  // namespace orrery::sim::cuda
