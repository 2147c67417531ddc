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

/// Stores the centre and the weight of a cell; if `everywhere`, on all ranks.
__device__ __forceinline__ void make_centre(const TreeOfForce& tree, const Eight& eight, std::uint32_t i,
                                            const TreeCell& cell, bool everywhere) {
  CentreSums sums = centre_sums(tree, eight, cell, false);
  sums.fold(eight);
  const double total = sums.total.value;
  if (total == 0) {
    sums = centre_sums(tree, eight, cell, true);
    sums.fold(eight);
  }
  if (eight.lane != 0) return;
  const TreePoint centre{(sums.x / sums.total).value, (sums.y / sums.total).value, (sums.z / sums.total).value, 0};
  tree.total[i] = total;
  tree.centre[i] = centre;
  if (everywhere) tree.elsewhere.put(tree.total + i, total), tree.elsewhere.put(tree.centre + i, centre);
}

__global__ void __launch_bounds__(centres_block) centres_kernel(const __grid_constant__ TreeOfForce tree) {
  const Eight eight;
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (centres_block / tree::lanes);
  for (std::uint32_t i = (blockIdx.x * centres_block + threadIdx.x) / tree::lanes; i < cells; i += all) {
    TreeCell cell = tree.cell[i];
    for (std::uint32_t now = i; (now != i || cell.is_leaf()) && tree.is_made_here(cell);) {
      make_centre(tree, eight, now, cell, true);
      if (now == 0) break;
      now = cell.parent;
      cell = tree.cell[now];
      if (!tree.is_made_here(cell) || !arrive(tree, eight, now, cell.child_count())) break;
    }
  }
}

/// One block of eight threads. Makes the list of joint cells as well.
__global__ void joint_centres_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ std::uint32_t path[Elsewhere::most][tree::levels + 1];
  __shared__ int length[Elsewhere::most];
  const Eight eight;
  const int borders = tree.joint.ranks - 1;
  const bool has_cells = tree.control->cells != 0;
  // From the root down to the last cell that has bodies on both sides of the border between two ranks.
  for (int b = 0; b < borders; ++b) {
    const std::uint32_t border = tree.joint.border[b];
    int depth = 0;
    for (std::uint32_t i = 0; has_cells;) {
      const TreeCell cell = tree.cell[i];
      if (cell.begin >= border || cell.end <= border) break;
      path[b][depth++] = i;
      if (cell.is_leaf()) break;
      const bool is_beyond = eight.lane < cell.child_count() && tree.cell[cell.first_child() + eight.lane].end > border;
      const unsigned beyond = __ballot_sync(eight.mask, is_beyond) & eight.mask;
      i = cell.first_child() + static_cast<std::uint32_t>(__ffs(static_cast<int>(beyond))) - 1;
    }
    length[b] = depth;
  }
  __syncwarp(eight.mask);
  // Children have greater numbers than their parents.
  std::uint32_t count = 0;
  for (;; ++count) {
    std::uint32_t last = 0;
    bool is_any = false;
    for (int b = 0; b < borders; ++b) {
      if (length[b] > 0) last = max(last, path[b][length[b] - 1]), is_any = true;
    }
    if (!is_any) break;
    __syncwarp(eight.mask);
    if (eight.lane == 0) {
      for (int b = 0; b < borders; ++b) {
        if (length[b] > 0 && path[b][length[b] - 1] == last) --length[b];
      }
      tree.joint.cell[count + 1] = last;
    }
    make_centre(tree, eight, last, tree.cell[last], false);
    __threadfence_block();
    __syncwarp(eight.mask);
  }
  if (eight.lane == 0) tree.joint.cell[0] = count;
}

template <int P>
using MomentsRoom = FoldRoom<tree::size_of(P)>;

/// Stores the moments of a cell; if `everywhere`, on all ranks.
template <int P>
__device__ __forceinline__ void store_moments(const TreeOfForce& tree, const Eight& eight, MomentsRoom<P>& room,
                                              const Real* m, std::uint32_t i, bool everywhere) {
  double* const row = tree.moments + std::size_t{i} * row_of(P);
  room.fold(eight, m, row);
  if (!everywhere || tree.elsewhere.count == 0) return;
  // Whole lines by eight lanes, since other GPUs are reached in packets.
  __syncwarp(eight.mask);
  const auto* const from = reinterpret_cast<const double2*>(row);
  for (int k = static_cast<int>(eight.lane); k < row_of(P) / 2; k += static_cast<int>(tree::lanes)) {
    const double2 two = __ldcg(from + k);
    for (int peer = 0; peer < tree.elsewhere.count; ++peer)
      reinterpret_cast<double2*>(reinterpret_cast<char*>(row) + tree.elsewhere.bytes[peer])[k] = two;
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

/// The greatest distance squared of a body of each cell: the maximum of positive numbers is that of their bits. A body
/// climbs to the root; lanes in one cell agree first.
__global__ void __launch_bounds__(centres_block) radii_kernel(const __grid_constant__ TreeOfForce tree) {
  constexpr std::uint32_t none = ~0U;
  const std::uint32_t j = tree.made_first + blockIdx.x * centres_block + threadIdx.x;
  if (tree.control->cells == 0) return;
  const Triple<Real> body = vector_of(tree.body[min(j, tree.made_last - 1)]);
  std::uint32_t i = j < tree.made_last ? tree.leaf[j] : none;
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

__device__ __forceinline__ double reach_of(const TreeOfForce& tree, std::uint32_t i, double radius2) {
  const Real total(tree.total[i]);
  const Real angle =
      tree::opening_angle(total / Real(tree.total[0]), tree.expansion_order, Real(tree.narrow), Real(tree.wide));
  const double reach = __ddiv_rn(__dsqrt_rn(radius2), angle.value);
  return total.value == 0 ? -reach : reach;
}

__global__ void __launch_bounds__(centres_block) reach_kernel(const __grid_constant__ TreeOfForce tree) {
  const std::uint32_t i = blockIdx.x * centres_block + threadIdx.x;
  if (i >= tree.control->cells || !tree.is_made_here(tree.cell[i])) return;
  tree.elsewhere.put(&tree.centre[i].w, reach_of(tree, i, tree.centre[i].w));
}

/// What the bodies of this rank say about joint cells.
__global__ void joint_radii_kernel(const __grid_constant__ TreeOfForce tree) {
  double* const radius2 = tree.joint.radius2 + tree.joint.rank * std::size_t{JointCells::room(tree.joint.ranks)};
  for (std::uint32_t k = threadIdx.x; k < tree.joint.cell[0]; k += blockDim.x)
    tree.elsewhere.put(radius2 + k, tree.centre[tree.joint.cell[k + 1]].w);
}
__global__ void joint_reach_kernel(const __grid_constant__ TreeOfForce tree) {
  for (std::uint32_t k = threadIdx.x; k < tree.joint.cell[0]; k += blockDim.x) {
    double radius2 = 0;
    for (int rank = 0; rank < tree.joint.ranks; ++rank)
      radius2 = fmax(radius2, __ldcg(tree.joint.radius2 + rank * std::size_t{JointCells::room(tree.joint.ranks)} + k));
    const std::uint32_t i = tree.joint.cell[k + 1];
    tree.centre[i].w = reach_of(tree, i, radius2);
  }
}

/// Blocks for eight threads a cell; each has some cells. They are short, so that the other queue gets its turn.
unsigned blocks_for_cells(const TreeOfForce& tree, unsigned block) {
  return std::min(blocks_for(tree::lanes * std::size_t{tree.room_for_cells}, block), 32768U);
}

/// Calls act.template operator()<P>() for the order of the force.
template <class Act>
void for_order(const TreeOfForce& tree, const Act& act) {
  switch (tree.expansion_order) {
    case 3:
      return act.template operator()<3>();
    case 4:
      return act.template operator()<4>();
    case 5:
      return act.template operator()<5>();
    default:
      return act.template operator()<6>();
  }
}

}  // namespace

void sum_centres(const TreeOfForce& tree, StreamHandle stream) {
  centres_kernel<<<blocks_for_cells(tree, centres_block), centres_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting centres of cells");
}

void sum_moments(const TreeOfForce& tree, StreamHandle stream) {
  const unsigned blocks = blocks_for_cells(tree, moments_block);
  for_order(tree, [&]<int P>() {
    leaf_moments_kernel<P, false><<<blocks, moments_block, 0, stream.stream>>>(tree);
    moments_kernel<P><<<blocks, moments_block, 0, stream.stream>>>(tree);
  });
  check(cudaGetLastError(), "starting moments");
}

void find_reaches(const TreeOfForce& tree, StreamHandle stream) {
  if (tree.made_first < tree.made_last) {
    const unsigned blocks = blocks_for(tree.made_last - tree.made_first, centres_block);
    radii_kernel<<<blocks, centres_block, 0, stream.stream>>>(tree);
  }
  reach_kernel<<<blocks_for(tree.room_for_cells, centres_block), centres_block, 0, stream.stream>>>(tree);
  if (tree.elsewhere.count > 0) joint_radii_kernel<<<1, 32, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting reaches of cells");
}

void sum_joint_centres(const TreeOfForce& tree, StreamHandle stream) {
  joint_centres_kernel<<<1, tree::lanes, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting centres of joint cells");
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

void find_joint_reaches(const TreeOfForce& tree, StreamHandle stream) {
  joint_reach_kernel<<<1, 32, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting reaches of joint cells");
}

}  // namespace orrery::sim::cuda
