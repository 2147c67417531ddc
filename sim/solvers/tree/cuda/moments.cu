// SPDX-License-Identifier: MIT
// Moments from the leaves up to the root, eight threads a cell.
#include "sim/solvers/tree/cuda/eight.cuh"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned moments_block = 64;

template <int P>
using MomentsRoom = FoldRoom<tree::size_of(P)>;

/// Stores the moments of a cell; if `everywhere`, on all ranks.
template <int P>
__device__ __forceinline__ void store_moments(const TreeOfForce& tree, const Eight& eight, MomentsRoom<P>& room,
                                              const Real* m, std::uint32_t i, bool everywhere) {
  double* const row = tree.moments + std::size_t{i} * row_of(P);
  room.fold(eight, m, row);
  if (!everywhere || tree.peers.count == 0) return;
  // Whole lines by eight lanes, since other GPUs are reached in packets.
  __syncwarp(eight.mask);
  const auto* const from = reinterpret_cast<const double2*>(row);
  for (int k = static_cast<int>(eight.lane); k < row_of(P) / 2; k += static_cast<int>(tree::lanes)) {
    const double2 two = __ldcg(from + k);
    for (int peer = 0; peer < tree.peers.count; ++peer)
      reinterpret_cast<double2*>(reinterpret_cast<char*>(row) + tree.peers.bytes[peer])[k] = two;
  }
}

template <int P>
__device__ __forceinline__ void make_leaf_moments(const TreeOfForce& tree, const Eight& eight, MomentsRoom<P>& room,
                                                  std::uint32_t i, const TreeCell& cell) {
  const Triple<Real> centre = vector_of(tree.centre[i]);
  Real m[tree::size_of(P)];
#pragma unroll
  for (Real& one : m) one = Real(0.0);
  const std::uint32_t end = tree.before(cell.end);
  for (std::uint32_t j = tree.before(cell.begin) + eight.lane; j < end; j += tree::lanes) {
    const TreePoint body = tree.source[j];
    tree::add_body<P>(Real(body.w), tree::Powers<P, Real>(centre - vector_of(body)), m);
  }
  store_moments<P>(tree, eight, room, m, i, false);
}

/// Leaves of this rank, or `needed` ones of others.
template <int P, bool needed>
__global__ void __launch_bounds__(moments_block) leaf_moments_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ MomentsRoom<P> rooms[moments_block / tree::lanes];
  const Eight eight;
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (moments_block / tree::lanes);
  for (std::uint32_t i = (blockIdx.x * moments_block + threadIdx.x) / tree::lanes; i < cells; i += all) {
    if (needed && tree.needed[i] == 0) continue;
    const TreeCell cell = tree.cell[i];
    if (needed || (cell.is_leaf() && tree.is_made_here(cell)))
      make_leaf_moments<P>(tree, eight, rooms[threadIdx.x / tree::lanes], i, cell);
    __syncwarp(eight.mask);
    if (needed && eight.lane == 0) tree.needed[i] = 0;
  }
}

/// A row that another thread has written during this kernel.
struct FreshRow {
  const double* from;
  __device__ __forceinline__ Real operator[](int k) const { return Real(__ldcg(from + k)); }
};
template <int P, int... k>
__device__ __forceinline__ void add_child(const FreshRow& of_child, const tree::Powers<P, Real>& t, Real* m,
                                          tree::Numbers<k...>) {
  ((m[k] = m[k] + tree::shifted_moment<k>(of_child, t)), ...);
}

/// Moments of a cell by those of its children.
template <int P>
__device__ __forceinline__ void make_moments(const TreeOfForce& tree, const Eight& eight, MomentsRoom<P>& room,
                                             std::uint32_t i, const TreeCell& cell, bool everywhere) {
  Real m[tree::size_of(P)];
#pragma unroll
  for (Real& one : m) one = Real(0.0);
  if (eight.lane < cell.child_count()) {
    const std::uint32_t child = cell.first_child() + eight.lane;
    const tree::Powers<P, Real> t(vector_of(tree.centre[i]) - vector_of(tree.centre[child]));
    add_child<P>({tree.moments + std::size_t{child} * row_of(P)}, t, m, tree::Upto<tree::size_of(P)>());
  }
  store_moments<P>(tree, eight, room, m, i, everywhere);
}

/// Moments of cells that are no leaves, from those that have leaves alone upwards.
template <int P>
__global__ void __launch_bounds__(moments_block) moments_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ MomentsRoom<P> rooms[moments_block / tree::lanes];
  const Eight eight;
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (moments_block / tree::lanes);
  const auto branches = [&](const TreeCell& cell) {
    const bool is_branch = eight.lane < cell.child_count() && !tree.cell[cell.first_child() + eight.lane].is_leaf();
    return static_cast<std::uint32_t>(__popc(__ballot_sync(eight.mask, is_branch) & eight.mask));
  };
  for (std::uint32_t i = (blockIdx.x * moments_block + threadIdx.x) / tree::lanes; i < cells; i += all) {
    TreeCell cell = tree.cell[i];
    if (cell.is_leaf() || !tree.is_made_here(cell) || branches(cell) != 0) continue;
    for (std::uint32_t now = i;;) {
      make_moments<P>(tree, eight, rooms[threadIdx.x / tree::lanes], now, cell, true);
      if (now == 0) break;
      now = cell.parent;
      cell = tree.cell[now];
      if (!tree.is_made_here(cell) || !arrive(tree, eight, now, branches(cell))) break;
    }
  }
}

/// One block of eight threads.
template <int P>
__global__ void joint_moments_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ MomentsRoom<P> room;
  const Eight eight;
  const std::uint32_t count = tree.joint.cell[0];
  for (std::uint32_t k = 1; k <= count; ++k) {
    const std::uint32_t i = tree.joint.cell[k];
    const TreeCell cell = tree.cell[i];
    if (cell.is_leaf()) {
      make_leaf_moments<P>(tree, eight, room, i, cell);
    } else {
      for (std::uint32_t child = cell.first_child(); child < cell.first_child() + cell.child_count(); ++child) {
        const TreeCell leaf = tree.cell[child];
        if (leaf.is_leaf() && !tree.is_made_here(leaf)) make_leaf_moments<P>(tree, eight, room, child, leaf);
      }
      __threadfence_block();
      __syncwarp(eight.mask);
      make_moments<P>(tree, eight, room, i, cell, false);
    }
    __threadfence_block();
    __syncwarp(eight.mask);
  }
}

}  // namespace

void sum_moments(const TreeOfForce& tree, StreamHandle stream) {
  const unsigned blocks = blocks_for_cells(tree, moments_block);
  for_order(tree, [&]<int P>() {
    leaf_moments_kernel<P, false><<<blocks, moments_block, 0, stream.stream>>>(tree);
    moments_kernel<P><<<blocks, moments_block, 0, stream.stream>>>(tree);
  });
  check(cudaGetLastError(), "starting moments");
}

void sum_joint_moments(const TreeOfForce& tree, StreamHandle stream) {
  for_order(tree, [&]<int P>() { joint_moments_kernel<P><<<1, tree::lanes, 0, stream.stream>>>(tree); });
  check(cudaGetLastError(), "starting moments of joint cells");
}

void sum_needed_moments(const TreeOfForce& tree, StreamHandle stream) {
  const unsigned blocks = blocks_for_cells(tree, moments_block);
  for_order(tree, [&]<int P>() { leaf_moments_kernel<P, true><<<blocks, moments_block, 0, stream.stream>>>(tree); });
  check(cudaGetLastError(), "starting moments of leaves of other ranks");
}

}  // namespace orrery::sim::cuda
