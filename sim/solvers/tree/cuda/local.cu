// SPDX-License-Identifier: MIT
// Series from the root down to the leaves, and the sums of each body.
#include <math_constants.h>

#include "sim/backends/cuda/real.cuh"
#include "sim/solvers/tree/cuda/rows.cuh"
#include "sim/solvers/tree/tensors.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned l2l_block = 32, up_block = 128, back_block = 256;

__device__ __forceinline__ Triple<Real> difference(const TreePoint& a, const TreePoint& b) {
  return {Real(a.x) - Real(b.x), Real(a.y) - Real(b.y), Real(a.z) - Real(b.z)};
}

template <int P, int... k>
__device__ __forceinline__ void add_parent(double* to, const Real* of_parent, const tree::Powers<P, Real>& t,
                                           tree::Numbers<k...>) {
  ((to[k] = (tree::shifted_series<k>(of_parent, t) + Real(to[k])).value), ...);
}

/// The cells begin … end − 1 of a level, one thread each; rows go through shared memory. Without potentials the component
/// of order 0 has no value, which no other component depends on.
template <int P>
__global__ void __launch_bounds__(l2l_block)
    l2l_kernel(const __grid_constant__ TreeOfForce tree, std::uint32_t begin, std::uint32_t end) {
  constexpr int pieces = TreeRows<P>::pieces;
  __shared__ TreeRows<P> parents, own;
  static_assert(l2l_block == 32);
  const unsigned lane = threadIdx.x;
  const std::uint32_t from = begin + blockIdx.x * l2l_block, i = min(from + lane, end - 1),
                      cells = min(end - from, l2l_block);
  if (tree.cell[from].begin >= tree.last || tree.cell[from + cells - 1].end <= tree.first) return;  // of other ranks
  const std::uint32_t parent = tree.cell[i].parent;
  parents.start(tree.series, parent);
  own.start(tree.series, i);
  const tree::Powers<P, Real> t(difference(tree.centre[i], tree.centre[parent]));
  wait_for_copies<0>();
  __syncwarp();
  add_parent(reinterpret_cast<double*>(own.row(lane)), reinterpret_cast<const Real*>(parents.row(lane)), t,
             tree::Upto<tree::size_of(P)>());
  __syncwarp();
  auto* const to = reinterpret_cast<Sixteen*>(tree.series + std::size_t{from} * row_of(P));
  for (unsigned k = lane; k < cells * pieces; k += l2l_block) to[k] = own.row(k / pieces)[k % pieces];
}

/// The near sums of place k of a leaf, over segments in order.
__device__ __forceinline__ Real near_sum(const TreeOfForce& tree, const TreeLists& lists, const TreeCell& leaf,
                                         std::uint32_t j, std::size_t q) {
  Real sum(0.0);
  if (lists.segments > 0) sum = sum + Real(tree.sums[q * tree.n + j]);
  const std::size_t outputs = outputs_per_body(tree.outputs), size = leaf.size();
  const double* further = tree.sums + outputs * tree.n + lists.further + q * size + (j - leaf.begin);
  for (std::uint32_t s = 1; s < lists.segments; ++s, further += outputs * size) sum = sum + Real(*further);
  return sum;
}

struct SeriesRow {
  const double* from;
  __device__ __forceinline__ Real operator[](int k) const { return Real(__ldg(from + k)); }
};

/// The sums of place j: three components, and the potential or 0.
template <int P>
__device__ __forceinline__ TreePoint sums_of(const TreeOfForce& tree, std::uint32_t j) {
  const std::uint32_t i = tree.leaf[j];
  const TreeCell leaf = tree.cell[i];
  const TreeLists lists = tree.lists[i];
  const SeriesRow series{tree.series + std::size_t{i} * row_of(P)};
  const tree::Powers<P, Real> t(difference(tree.body[j], tree.centre[i]));
  if (isnan(tree.control->scale)) return {CUDART_NAN, CUDART_NAN, CUDART_NAN, CUDART_NAN};
  const Real x = tree::shifted_series<1>(series, t) + near_sum(tree, lists, leaf, j, 0),
             y = tree::shifted_series<2>(series, t) + near_sum(tree, lists, leaf, j, 1),
             z = tree::shifted_series<3>(series, t) + near_sum(tree, lists, leaf, j, 2);
  Real potential(0.0);
  if (tree.outputs == Outputs::potential)
    potential = near_sum(tree, lists, leaf, j, 3) - tree::shifted_series<0>(series, t);
  return {x.value, y.value, z.value, potential.value};
}

template <int P>
__global__ void __launch_bounds__(up_block, 5)
    sums_kernel(const __grid_constant__ TreeOfForce tree, TreePoint* records) {
  __shared__ TreePoint of_block[up_block];
  const std::uint32_t begin = tree.first + blockIdx.x * up_block, j = begin + threadIdx.x;
  if (j < tree.last) of_block[threadIdx.x] = sums_of<P>(tree, j);
  __syncthreads();
  tree.peers.put_block(records + begin, of_block, min(tree.last - begin, up_block), up_block);
}

__global__ void back_kernel(const __grid_constant__ TreeOfForce tree, const TreePoint* records, double* result) {
  const std::uint32_t i = blockIdx.x * back_block + threadIdx.x;
  if (i >= tree.n) return;
  const TreePoint sums = records[tree.place[i]];
  double* const to = result + i;
  to[0] = sums.x, to[tree.stride] = sums.y, to[2 * tree.stride] = sums.z;
  if (tree.outputs == Outputs::potential) to[3 * tree.stride] = sums.w;
}

}  // namespace

void l2l(const TreeOfForce& tree, const TreeControl& control, StreamHandle stream) {
  for (int level = 1; level <= tree::levels; ++level) {
    const std::uint32_t begin = control.level[level], end = control.level[level + 1];
    if (end <= begin) break;
    for_order(tree, [&]<int P>() {
      l2l_kernel<P><<<blocks_for(end - begin, l2l_block), l2l_block, 0, stream.stream>>>(tree, begin, end);
    });
    check(cudaGetLastError(), "passing series down");
  }
}

void sum_up(const TreeOfForce& tree, TreePoint* records, StreamHandle stream) {
  const unsigned blocks = blocks_for(tree.last - tree.first, up_block);
  if (blocks == 0) return;  // more ranks than bodies
  for_order(tree, [&]<int P>() { sums_kernel<P><<<blocks, up_block, 0, stream.stream>>>(tree, records); });
  check(cudaGetLastError(), "starting the sums of bodies");
}

void put_back(const TreeOfForce& tree, const TreePoint* records, double* result, StreamHandle stream) {
  back_kernel<<<blocks_for(tree.n, back_block), back_block, 0, stream.stream>>>(tree, records, result);
  check(cudaGetLastError(), "starting to put sums back");
}

}  // namespace orrery::sim::cuda
