// SPDX-License-Identifier: MIT
// The far field: eight threads a target, each with every eighth cell of its list. A warp copies the moments of its 32
// cells to shared memory together while each thread computes its derivatives.
#pragma once

#include "sim/solvers/tree/cuda/copies.cuh"
#include "sim/solvers/tree/cuda/moments.cuh"
#include "sim/solvers/tree/radial.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {

inline constexpr unsigned far_warps = 2, far_block = 32 * far_warps;

/// Rows of moments, one a lane, with a gap that makes the number of groups of 16 bytes odd: lanes read from different banks.
template <int P>
struct FarRows {
  static constexpr int pieces = row_of(P) / 2, step = pieces | 1;
  Sixteen of[32 * step];

  /// Starts to copy the moments of each lane's cell. By the whole warp.
  __device__ __forceinline__ void start(const double* moments, std::uint32_t cell, bool is_there) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const unsigned there = __ballot_sync(~0U, is_there);
    int row = lane / pieces, piece = lane % pieces;
#pragma unroll 4
    for (int k = 0; k < pieces; ++k) {
      const std::uint32_t from = __shfl_sync(~0U, cell, row);
      if ((there >> row & 1) != 0)
        start_copy(of + row * step + piece, reinterpret_cast<const Sixteen*>(moments + std::size_t{from} * row_of(P)) + piece);
      row += 32 / pieces, piece += 32 % pieces;
      if (piece >= pieces) piece -= pieces, ++row;
    }
    end_group();
  }
};

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
  __shared__ FarRows<P> of_warp[far_warps];
  FarRows<P>& rows = of_warp[threadIdx.x / 32];
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
  std::uint32_t next = eight.lane < lists.far ? list[eight.lane] : 0;
  for (std::uint32_t from = 0; from < longest; from += tree::lanes) {
    const std::uint32_t k = from + eight.lane, cell = next;
    const bool is_there = k < lists.far;
    const TreePoint source = tree.centre[cell];
    __syncwarp();
    rows.start(tree.moments, cell, is_there);
    next = k + tree::lanes < lists.far ? list[k + tree::lanes] : 0;
    Real f[P + 1], d[size];
    const Triple<Real> apart{Real(target.x) - Real(source.x), Real(target.y) - Real(source.y), Real(target.z) - Real(source.z)};
    const Real r2 = fma(apart.x, apart.x, fma(apart.y, apart.y, fma(apart.z, apart.z, Real(tree.softening2))));
    tree::radial_sequence<P, potential>(r2, tree.exponent, f);
    tree::derivatives<P>(apart, f, d);
    wait_for_copies<0>();
    __syncwarp();
    if (is_there)
      add_moments<P, potential, dipoles>(rows.of + threadIdx.x % 32 * FarRows<P>::step, d, l, tree::Upto<(size + 1) / 2>());
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
  auto* const kernel = dipoles                               ? far_kernel<P, true, true>
                       : tree.outputs == Outputs::potential ? far_kernel<P, true, false>
                                                             : far_kernel<P, false, false>;
  kernel<<<blocks, far_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the far field");
}

}  // namespace orrery::sim::cuda
