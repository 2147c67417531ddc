// SPDX-License-Identifier: MIT
// Centres from the leaves up to the root, eight threads a cell. Those that complete the last child of a cell go on with the cell. Then
// the reach of each cell.
#include "sim/solvers/tree/acceptance.hpp"
#include "sim/solvers/tree/cuda/eight.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned centres_block = 128;

/// What another thread has written during this kernel.
__device__ __forceinline__ TreePoint fresh(const TreePoint* at) {
  return {__ldcg(&at->x), __ldcg(&at->y), __ldcg(&at->z), 0};
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
  if (everywhere) tree.peers.put(tree.total + i, total), tree.peers.put(tree.centre + i, centre);
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
  __shared__ std::uint32_t path[PeerMemory::most][tree::levels + 1];
  __shared__ int length[PeerMemory::most];
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
  tree.peers.put(&tree.centre[i].w, reach_of(tree, i, tree.centre[i].w));
}

/// What the bodies of this rank say about joint cells.
__global__ void joint_radii_kernel(const __grid_constant__ TreeOfForce tree) {
  double* const radius2 = tree.joint.radius2 + tree.joint.rank * std::size_t{JointCells::room(tree.joint.ranks)};
  for (std::uint32_t k = threadIdx.x; k < tree.joint.cell[0]; k += blockDim.x)
    tree.peers.put(radius2 + k, tree.centre[tree.joint.cell[k + 1]].w);
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

}  // namespace

void sum_centres(const TreeOfForce& tree, StreamHandle stream) {
  centres_kernel<<<blocks_for_cells(tree, centres_block), centres_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting centres of cells");
}

void find_reaches(const TreeOfForce& tree, StreamHandle stream) {
  if (tree.made_first < tree.made_last) {
    const unsigned blocks = blocks_for(tree.made_last - tree.made_first, centres_block);
    radii_kernel<<<blocks, centres_block, 0, stream.stream>>>(tree);
  }
  reach_kernel<<<blocks_for(tree.room_for_cells, centres_block), centres_block, 0, stream.stream>>>(tree);
  if (tree.peers.count > 0) joint_radii_kernel<<<1, 32, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting reaches of cells");
}

void sum_joint_centres(const TreeOfForce& tree, StreamHandle stream) {
  joint_centres_kernel<<<1, tree::lanes, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting centres of joint cells");
}

void find_joint_reaches(const TreeOfForce& tree, StreamHandle stream) {
  joint_reach_kernel<<<1, 32, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting reaches of joint cells");
}

}  // namespace orrery::sim::cuda
