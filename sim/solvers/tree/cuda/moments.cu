// SPDX-License-Identifier: MIT
// Centres and moments from the leaves up to the root, eight threads a cell. Those that complete the last child of a cell
// go on with the cell. Then the reach of each cell.
#include <algorithm>

#include "sim/solvers/tree/cuda/eight.cuh"
#include "sim/solvers/tree/meeting.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned centres_block = 128, moments_block = 64;

__device__ __forceinline__ Triple<Real> vector_of(const TreePoint& at) {
  return {Real(at.x), Real(at.y), Real(at.z)};
}
__device__ __forceinline__ Triple<Real> operator-(const Triple<Real>& a, const Triple<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// What another thread has written during this kernel.
__device__ __forceinline__ TreePoint fresh(const TreePoint* at) {
  return {__ldcg(&at->x), __ldcg(&at->y), __ldcg(&at->z), 0};
}

/// Reports a complete cell to its parent. Returns whether it was the last of `expected` children, so that these eight
/// threads go on with the parent.
__device__ __forceinline__ bool arrive(const TreeOfForce& tree, const Eight& eight, std::uint32_t parent,
                                       std::uint32_t expected) {
  __syncwarp(eight.mask);
  std::uint32_t before = 0;
  if (eight.lane == 0) {
    __threadfence();
    before = atomicAdd(tree.arrived + parent, 1U);
    if (before + 1 == expected) tree.arrived[parent] = 0;
    __threadfence();
  }
  return __shfl_sync(eight.mask, before, 0, tree::lanes) + 1 == expected;
}

/// Sums of w and w·x.
struct CentreSums {
  Real total{0.0}, x{0.0}, y{0.0}, z{0.0};

  __device__ __forceinline__ void add(Real w, const TreePoint& at) {
    total = total + w;
    x = fma(w, Real(at.x), x), y = fma(w, Real(at.y), y), z = fma(w, Real(at.z), z);
  }
  __device__ __forceinline__ void fold(const Eight& eight) {
    total = eight.fold(total), x = eight.fold(x), y = eight.fold(y), z = eight.fold(z);
  }
};

/// This lane's part of the sums of a cell. `alike`: all bodies count, whatever their weight.
__device__ __forceinline__ CentreSums centre_sums(const TreeOfForce& tree, const Eight& eight, const TreeCell& cell,
                                                  bool alike) {
  CentreSums sums;
  if (!cell.is_leaf()) {
    if (eight.lane >= cell.child_count()) return sums;
    const std::uint32_t child = cell.first_child() + eight.lane;
    sums.add(Real(alike ? tree.cell[child].size() : __ldcg(tree.total + child)), fresh(tree.centre + child));
  } else if (alike) {
    for (std::uint32_t j = cell.begin + eight.lane; j < cell.end; j += tree::lanes) sums.add(Real(1.0), tree.body[j]);
  } else {
    const std::uint32_t end = tree.before(cell.end);
    for (std::uint32_t j = tree.before(cell.begin) + eight.lane; j < end; j += tree::lanes) {
      const TreePoint body = tree.source[j];
      sums.add(Real(fabs(body.w)), body);
    }
  }
  return sums;
}

__global__ void __launch_bounds__(centres_block) centres_kernel(const __grid_constant__ TreeOfForce tree) {
  const Eight eight;
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (centres_block / tree::lanes);
  for (std::uint32_t i = (blockIdx.x * centres_block + threadIdx.x) / tree::lanes; i < cells; i += all) {
    TreeCell cell = tree.cell[i];
    for (std::uint32_t now = i; now != i || cell.is_leaf(); cell = tree.cell[now]) {
      CentreSums sums = centre_sums(tree, eight, cell, false);
      sums.fold(eight);
      if (eight.lane == 0) tree.total[now] = sums.total.value;
      if (sums.total.value == 0) {
        sums = centre_sums(tree, eight, cell, true);
        sums.fold(eight);
      }
      if (eight.lane == 0)
        tree.centre[now] = {(sums.x / sums.total).value, (sums.y / sums.total).value, (sums.z / sums.total).value, 0};
      if (now == 0 || !arrive(tree, eight, cell.parent, tree.cell[cell.parent].child_count())) break;
      now = cell.parent;
    }
  }
}

template <int P>
using MomentsRoom = FoldRoom<tree::size_of(P)>;

template <int P>
__global__ void __launch_bounds__(moments_block) leaf_moments_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ MomentsRoom<P> rooms[moments_block / tree::lanes];
  const Eight eight;
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (moments_block / tree::lanes);
  for (std::uint32_t i = (blockIdx.x * moments_block + threadIdx.x) / tree::lanes; i < cells; i += all) {
    const TreeCell cell = tree.cell[i];
    if (!cell.is_leaf()) continue;
    const Triple<Real> centre = vector_of(tree.centre[i]);
    Real m[tree::size_of(P)];
#pragma unroll
    for (Real& one : m) one = Real(0.0);
    const std::uint32_t end = tree.before(cell.end);
    for (std::uint32_t j = tree.before(cell.begin) + eight.lane; j < end; j += tree::lanes) {
      const TreePoint body = tree.source[j];
      tree::add_body<P>(Real(body.w), tree::Powers<P, Real>(centre - vector_of(body)), m);
    }
    rooms[threadIdx.x / tree::lanes].fold(eight, m, tree.moments + std::size_t{i} * row_of(P));
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
    if (cell.is_leaf() || branches(cell) != 0) continue;
    for (std::uint32_t now = i;;) {
      Real m[tree::size_of(P)];
#pragma unroll
      for (Real& one : m) one = Real(0.0);
      if (eight.lane < cell.child_count()) {
        const std::uint32_t child = cell.first_child() + eight.lane;
        const tree::Powers<P, Real> t(vector_of(tree.centre[now]) - vector_of(tree.centre[child]));
        add_child<P>({tree.moments + std::size_t{child} * row_of(P)}, t, m, tree::Upto<tree::size_of(P)>());
      }
      rooms[threadIdx.x / tree::lanes].fold(eight, m, tree.moments + std::size_t{now} * row_of(P));
      if (now == 0) break;
      now = cell.parent;
      cell = tree.cell[now];
      if (!arrive(tree, eight, now, branches(cell))) break;
    }
  }
}

/// The greatest distance squared of a body of each cell: the maximum of positive numbers is that of their bits. A body
/// climbs to the root; lanes in one cell agree first.
__global__ void __launch_bounds__(centres_block) radii_kernel(const __grid_constant__ TreeOfForce tree) {
  constexpr std::uint32_t none = ~0U;
  const std::uint32_t j = blockIdx.x * centres_block + threadIdx.x;
  if (tree.control->cells == 0) return;
  const Triple<Real> body = vector_of(tree.body[min(j, tree.n - 1)]);
  std::uint32_t i = j < tree.n ? tree.leaf[j] : none;
  for (unsigned left = __ballot_sync(~0U, i != none); left != 0; left = __ballot_sync(~0U, i != none)) {
    unsigned long long r2 = 0;
    std::uint32_t parent = none;
    if (i != none) {
      const Triple<Real> d = body - vector_of(tree.centre[i]);
      r2 = static_cast<unsigned long long>(__double_as_longlong(fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)).value));
      if (i != 0) parent = tree.cell[i].parent;
    }
    while (left != 0) {
      const int first = __ffs(static_cast<int>(left)) - 1;
      const unsigned same = __ballot_sync(~0U, i == __shfl_sync(~0U, i, first));
      unsigned long long most = (same >> threadIdx.x % 32 & 1) != 0 ? r2 : 0;
      for (int lanes = 16; lanes > 0; lanes /= 2) most = max(most, __shfl_xor_sync(~0U, most, lanes));
      if (static_cast<int>(threadIdx.x % 32) == first) {
        auto* const to = reinterpret_cast<unsigned long long*>(&tree.centre[i].w);
        if (most > *static_cast<volatile unsigned long long*>(to)) atomicMax(to, most);
      }
      left &= ~same;
    }
    i = parent;
  }
}

__global__ void __launch_bounds__(centres_block) reach_kernel(const __grid_constant__ TreeOfForce tree) {
  const std::uint32_t i = blockIdx.x * centres_block + threadIdx.x;
  if (i >= tree.control->cells) return;
  const Real total(tree.total[i]);
  const Real angle =
      tree::opening_angle(total / Real(tree.total[0]), tree.expansion_order, Real(tree.narrow), Real(tree.wide));
  const double reach = __ddiv_rn(__dsqrt_rn(tree.centre[i].w), angle.value);
  tree.centre[i].w = total.value == 0 ? -reach : reach;
}

/// Blocks for eight threads a cell; each has several cells.
unsigned blocks_for_cells(const TreeOfForce& tree, unsigned block) {
  return std::min(blocks_for(tree::lanes * std::size_t{tree.room_for_cells}, block), 4096U);
}

template <int P>
void start_moments(const TreeOfForce& tree, StreamHandle stream) {
  const unsigned blocks = blocks_for_cells(tree, moments_block);
  leaf_moments_kernel<P><<<blocks, moments_block, 0, stream.stream>>>(tree);
  moments_kernel<P><<<blocks, moments_block, 0, stream.stream>>>(tree);
}

}  // namespace

void sum_centres(const TreeOfForce& tree, StreamHandle stream) {
  centres_kernel<<<blocks_for_cells(tree, centres_block), centres_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting centres of cells");
}

void sum_moments(const TreeOfForce& tree, StreamHandle stream) {
  switch (tree.expansion_order) {
    case 3:
      start_moments<3>(tree, stream);
      break;
    case 4:
      start_moments<4>(tree, stream);
      break;
    case 5:
      start_moments<5>(tree, stream);
      break;
    default:
      start_moments<6>(tree, stream);
      break;
  }
  check(cudaGetLastError(), "starting moments");
}

void find_reaches(const TreeOfForce& tree, StreamHandle stream) {
  radii_kernel<<<blocks_for(tree.n, centres_block), centres_block, 0, stream.stream>>>(tree);
  reach_kernel<<<blocks_for(tree.room_for_cells, centres_block), centres_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting reaches of cells");
}

}  // namespace orrery::sim::cuda
