// SPDX-License-Identifier: MIT
// Centres and moments from the leaves up to the root in one launch, eight threads a cell: those that complete the last
// child of a cell go on with the cell. Then the reach of each cell.
#include <algorithm>

#include "sim/solvers/tree/cuda/moments.cuh"
#include "sim/solvers/tree/meeting.hpp"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned moments_block = 128;

/// Calls act(x, w) for the bodies of a lane with the number or weight that they have in the centre.
struct Centre {
  Real total{0.0}, x{0.0}, y{0.0}, z{0.0};

  __device__ __forceinline__ void add(Real w, const TreePoint& at) {
    total = total + w;
    x = fma(w, Real(at.x), x), y = fma(w, Real(at.y), y), z = fma(w, Real(at.z), z);
  }
  __device__ __forceinline__ void fold(const Eight& eight) {
    total = eight.fold(total), x = eight.fold(x), y = eight.fold(y), z = eight.fold(z);
  }
};

template <int P>
class Upward {
  static constexpr int size = tree::size_of(P), row = row_of(P);

 public:
  __device__ __forceinline__ Upward(const TreeOfForce& tree, std::uint32_t i)
      : tree_(tree), i_(i), cell_(tree.cell[i]), begin_(tree.before(cell_.begin)), end_(tree.before(cell_.end)) {}

  __device__ __forceinline__ void sum() {
    Centre sum = over(false);
    sum.fold(eight_);
    const Real total = sum.total;
    if (total.value == 0) {
      sum = over(true);
      sum.fold(eight_);
    }
    centre_ = {(sum.x / sum.total).value, (sum.y / sum.total).value, (sum.z / sum.total).value, 0};
    Real m[size];
#pragma unroll
    for (int k = 0; k < size; ++k) m[k] = Real(0.0);
    if (cell_.is_leaf()) {
      for (std::uint32_t j = begin_ + eight_.lane; j < end_; j += tree::lanes) {
        const TreePoint body = tree_.source[j];
        tree::add_body<P>(Real(body.w), tree::Powers<P, Real>(from(body)), m);
      }
    } else if (eight_.lane < cell_.child_count()) {
      add_child(cell_.first_child() + eight_.lane, m, std::make_integer_sequence<int, size>());
    }
    double* const to = tree_.moments + std::size_t{i_} * row;
#pragma unroll
    for (int k = 0; k < size; ++k) {
      const Real all = eight_.fold(m[k]);
      if (eight_.lane == k % tree::lanes) to[k] = all.value;
    }
    if (eight_.lane == 0) tree_.centre[i_] = centre_, tree_.total[i_] = total.value;
  }

 private:
  /// The lane's partial sums. `alike`: all bodies count, whatever their weight.
  __device__ __forceinline__ Centre over(bool alike) const {
    Centre sum;
    if (!cell_.is_leaf()) {
      if (eight_.lane >= cell_.child_count()) return sum;
      const std::uint32_t child = cell_.first_child() + eight_.lane;
      const double w = alike ? tree_.cell[child].size() : __ldcg(tree_.total + child);
      sum.add(Real(w), fresh_centre(child));
    } else if (alike) {
      for (std::uint32_t j = cell_.begin + eight_.lane; j < cell_.end; j += tree::lanes) sum.add(Real(1.0), tree_.body[j]);
    } else {
      for (std::uint32_t j = begin_ + eight_.lane; j < end_; j += tree::lanes) {
        const TreePoint body = tree_.source[j];
        sum.add(Real(fabs(body.w)), body);
      }
    }
    return sum;
  }
  [[nodiscard]] __device__ __forceinline__ TreePoint fresh_centre(std::uint32_t i) const {
    const TreePoint* at = tree_.centre + i;
    return {__ldcg(&at->x), __ldcg(&at->y), __ldcg(&at->z), 0};
  }
  [[nodiscard]] __device__ __forceinline__ Triple<Real> from(const TreePoint& at) const {
    return {Real(centre_.x) - Real(at.x), Real(centre_.y) - Real(at.y), Real(centre_.z) - Real(at.z)};
  }
  template <int... k>
  __device__ __forceinline__ void add_child(std::uint32_t child, Real* m, std::integer_sequence<int, k...>) const {
    Real of_child[size];
    const double* moments = tree_.moments + std::size_t{child} * row;
#pragma unroll
    for (int j = 0; j < size; ++j) of_child[j] = fresh(moments + j);
    const tree::Powers<P, Real> t(from(fresh_centre(child)));
    ((m[k] = m[k] + tree::shifted_moment<k>(of_child, t)), ...);
  }

  const TreeOfForce& tree_;
  Eight eight_;
  std::uint32_t i_;
  TreeCell cell_;
  std::uint32_t begin_, end_;  ///< sources
  TreePoint centre_;
};

template <int P>
__global__ void __launch_bounds__(moments_block) moments_kernel(const __grid_constant__ TreeOfForce tree) {
  const Eight eight;
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (moments_block / tree::lanes);
  for (std::uint32_t i = (blockIdx.x * moments_block + threadIdx.x) / tree::lanes; i < cells; i += all) {
    if (!tree.cell[i].is_leaf()) continue;
    for (std::uint32_t now = i;;) {
      Upward<P>(tree, now).sum();
      if (now == 0) break;
      __syncwarp(eight.mask);
      const std::uint32_t parent = tree.cell[now].parent;
      std::uint32_t before = 0;
      if (eight.lane == 0) {
        __threadfence();
        before = atomicAdd(tree.arrived + parent, 1U);
      }
      before = __shfl_sync(eight.mask, before, 0, tree::lanes);
      if (before + 1 < tree.cell[parent].child_count()) break;
      if (eight.lane == 0) tree.arrived[parent] = 0;
      __threadfence();
      now = parent;
    }
  }
}

/// The greatest distance squared of a body of each cell: the maximum of positive numbers is that of their bits. A body
/// climbs to the root; lanes in one cell agree first.
__global__ void __launch_bounds__(moments_block) radii_kernel(const __grid_constant__ TreeOfForce tree) {
  const std::uint32_t j = blockIdx.x * moments_block + threadIdx.x;
  constexpr std::uint32_t none = ~0U;
  if (tree.control->cells == 0) return;
  const TreePoint body = tree.body[min(j, tree.n - 1)];
  std::uint32_t i = j < tree.n ? tree.leaf[j] : none;
  for (unsigned left = __ballot_sync(~0U, i != none); left != 0; left = __ballot_sync(~0U, i != none)) {
    unsigned long long r2 = 0;
    std::uint32_t parent = none;
    if (i != none) {
      const TreePoint c = tree.centre[i];
      const Real x = Real(body.x) - Real(c.x), y = Real(body.y) - Real(c.y), z = Real(body.z) - Real(c.z);
      r2 = static_cast<unsigned long long>(__double_as_longlong(fma(x, x, fma(y, y, z * z)).value));
      if (i != 0) parent = tree.cell[i].parent;
    }
    while (left != 0) {
      const int first = __ffs(left) - 1;
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

__global__ void __launch_bounds__(moments_block) reach_kernel(const __grid_constant__ TreeOfForce tree) {
  const std::uint32_t i = blockIdx.x * moments_block + threadIdx.x;
  if (i >= tree.control->cells) return;
  const Real total(tree.total[i]);
  const Real angle = tree::opening_angle(total / Real(tree.total[0]), tree.expansion_order, Real(tree.narrow), Real(tree.wide));
  const double reach = __ddiv_rn(__dsqrt_rn(tree.centre[i].w), angle.value);
  tree.centre[i].w = total.value == 0 ? -reach : reach;
}

template <int P>
void start_moments(const TreeOfForce& tree, StreamHandle stream) {
  const unsigned blocks = std::min(blocks_for(tree::lanes * std::size_t{tree.room_for_cells}, moments_block), 132U * 8);
  moments_kernel<P><<<blocks, moments_block, 0, stream.stream>>>(tree);
}

}  // namespace

void sum_moments(const TreeOfForce& tree, StreamHandle stream) {
  switch (tree.expansion_order) {
    case 3: start_moments<3>(tree, stream); break;
    case 4: start_moments<4>(tree, stream); break;
    case 5: start_moments<5>(tree, stream); break;
    default: start_moments<6>(tree, stream); break;
  }
  check(cudaGetLastError(), "starting moments");
  radii_kernel<<<blocks_for(tree.n, moments_block), moments_block, 0, stream.stream>>>(tree);
  reach_kernel<<<blocks_for(tree.room_for_cells, moments_block), moments_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the reach of cells");
}

}  // namespace orrery::sim::cuda
