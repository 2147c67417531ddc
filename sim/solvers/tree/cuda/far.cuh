// SPDX-License-Identifier: MIT
// The far field: eight threads a target, each with every eighth cell of its list. A warp copies the moments of its 32
// cells to shared memory together while each thread computes its derivatives.
#pragma once

#include "sim/solvers/tree/cuda/eight.cuh"
#include "sim/solvers/tree/cuda/rows.cuh"
#include "sim/solvers/tree/radial.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {

inline constexpr unsigned far_warps = 2, far_block = 32 * far_warps;

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

template <int P, bool potential, bool dipoles>
__global__ void __launch_bounds__(far_block) far_kernel(const __grid_constant__ TreeOfForce tree) {
  constexpr int size = tree::size_of(P), first = potential ? 0 : 1;
  __shared__ TreeRows<P> of_warp[far_warps];
  TreeRows<P>& rows = of_warp[threadIdx.x / 32];
  const Eight eight;
  const std::uint32_t i = (blockIdx.x * far_block + threadIdx.x) / tree::lanes;
  const bool is_cell = i < tree.control->cells;
  const TreeLists lists = is_cell ? tree.lists[i] : TreeLists{};
  const TreePoint target = tree.centre[is_cell ? i : 0];
  const std::uint32_t* const list = tree.list + lists.begin;
  std::uint32_t longest = lists.far;
  for (int lanes = 16; lanes >= tree::lanes; lanes /= 2) longest = max(longest, __shfl_xor_sync(~0U, longest, lanes));
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
      add_moments<P, potential, dipoles>(rows.of + threadIdx.x % 32 * TreeRows<P>::step, d, l,
                                         tree::Upto<(size + 1) / 2>());
  }
  double* const to = tree.series + std::size_t{i} * row_of(P);
#pragma unroll
  for (int k = first; k < size; ++k) {
    const Real all = eight.fold(l[k]);
    if (is_cell && eight.lane == k % tree::lanes) to[k] = all.value;
  }
}

template <int P>
void start_far(const TreeOfForce& tree, bool dipoles, std::uint32_t cells, StreamHandle stream) {
  const unsigned blocks = blocks_for(tree::lanes * std::size_t{cells}, far_block);
  // The component of order 0 changes no other, so mixed weights have no kernel without it.
  auto* const kernel = dipoles                              ? far_kernel<P, true, true>
                       : tree.outputs == Outputs::potential ? far_kernel<P, true, false>
                                                            : far_kernel<P, false, false>;
  kernel<<<blocks, far_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the far field");
}

}  // namespace orrery::sim::cuda
