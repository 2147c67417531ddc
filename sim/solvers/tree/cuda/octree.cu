// SPDX-License-Identifier: MIT
// Keys of the bodies, their order, and the cells of the octree.
#include <cooperative_groups.h>
#include <math_constants.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "sim/solvers/tree/cuda/kernels.cuh"
#include "sim/solvers/tree/cuda/residency.cuh"
#include "sim/solvers/tree/keys.hpp"

namespace orrery::sim::cuda {
namespace {

/// Few and large blocks in the octree, since they wait for each other.
constexpr unsigned tree_block = 256, octree_block = 1024, split_lanes = 8;
/// Of the side of the cube.
constexpr int min_exponent = -300;

/// An integer with the order of the doubles; and its inverse.
__device__ __forceinline__ std::uint64_t ordered(double x) {
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(x));
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}
__device__ __forceinline__ double unordered(std::uint64_t x) {
  return __longlong_as_double(static_cast<long long>(x >> 63 != 0 ? x & ~(std::uint64_t{1} << 63) : ~x));
}

/// The least and the greatest coordinates along axis blockIdx.y.
__global__ void __launch_bounds__(tree_block) bounds_kernel(const TreeOnDevice tree) {
  __shared__ std::uint64_t of_warp[2][tree_block / 32];
  const double* x = tree.position + blockIdx.y * tree.stride;
  std::uint64_t high = 0, low = 0;
  for (std::size_t i = blockIdx.x * std::size_t{tree_block} + threadIdx.x; i < tree.n;
       i += gridDim.x * std::size_t{tree_block}) {
    const std::uint64_t value = ordered(x[i] + 0.0);
    high = max(high, value), low = max(low, ~value);
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    high = max(high, __shfl_xor_sync(~0U, high, lanes)), low = max(low, __shfl_xor_sync(~0U, low, lanes));
  }
  if (threadIdx.x % 32 == 0) of_warp[0][threadIdx.x / 32] = high, of_warp[1][threadIdx.x / 32] = low;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < tree_block / 32; ++w) high = max(high, of_warp[0][w]), low = max(low, of_warp[1][w]);
  atomicMax(reinterpret_cast<unsigned long long*>(&tree.control->highest[blockIdx.y]), high);
  atomicMax(reinterpret_cast<unsigned long long*>(&tree.control->lowest[blockIdx.y]), low);
}

/// The cube: its corner is the least coordinate along each axis, its side the least power of two above all extents.
__global__ void cube_kernel(const TreeOnDevice tree) {
  TreeControl& control = *tree.control;
  double extent[3];
  for (int axis = 0; axis < 3; ++axis) {
    control.low[axis] = unordered(~control.lowest[axis]);
    extent[axis] = unordered(control.highest[axis]) - control.low[axis];
  }
  const double widest = fmax(extent[0], fmax(extent[1], extent[2]));
  // The exponent of the least power of two above it; 0 and subnormal numbers have a small one as well.
  const int exponent = static_cast<int>(static_cast<std::uint64_t>(__double_as_longlong(widest)) >> 52) - 1023 + 1;
  const double scale =
      __longlong_as_double((static_cast<long long>(tree::levels - max(exponent, min_exponent)) + 1023) << 52);
  control.scale = widest < tree::farthest_extent ? scale : CUDART_NAN;
  control.level[1] = 1;
  tree.cell[0] = {.begin = 0, .end = tree.n, .children = 0, .parent = 0};
}

__global__ void __launch_bounds__(tree_block)
    keys_kernel(const TreeOnDevice tree, std::uint64_t* key, std::uint32_t* order) {
  const std::size_t i = blockIdx.x * std::size_t{tree_block} + threadIdx.x;
  if (i >= tree.n) return;
  const TreeControl& control = *tree.control;
  std::uint64_t place[3];
  for (int axis = 0; axis < 3; ++axis)
    place[axis] = tree::place(tree.position[axis * tree.stride + i], control.low[axis], control.scale);
  key[i] = tree::key(place[0], place[1], place[2]);
  order[i] = static_cast<std::uint32_t>(i);
}

/// Returns the exclusive prefix sum over a block's threads; `all`: the total.
__device__ __forceinline__ std::uint32_t sum_of_threads_before(std::uint32_t own, std::uint32_t& all) {
  __shared__ std::uint32_t of_warp[octree_block / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t sum = own;
  for (unsigned d = 1; d < 32; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += other;
  }
  __syncthreads();
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  std::uint32_t before = 0;
  all = 0;
  for (unsigned w = 0; w < octree_block / 32; ++w) {
    if (w < warp) before += of_warp[w];
    all += of_warp[w];
  }
  return before + sum - own;
}

/// Where the octant of this lane ends in a cell; the same place as for the lane before it if the octant is empty. The
/// eight lanes of a cell search side by side.
__device__ __forceinline__ std::uint32_t end_of_octant(const TreeOnDevice& tree, const TreeCell& cell, int level,
                                                       unsigned lane) {
  std::uint32_t low = cell.begin, high = cell.end;
  if (lane == split_lanes - 1) low = high;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (tree::octant(tree.key[middle], level) <= lane) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Eight threads a cell.
__global__ void __launch_bounds__(tree_block) leaves_kernel(const TreeOnDevice tree) {
  const std::uint32_t cells = tree.control->cells, all = gridDim.x * (tree_block / split_lanes);
  for (std::uint32_t i = (blockIdx.x * tree_block + threadIdx.x) / split_lanes; i < cells; i += all) {
    const TreeCell cell = tree.cell[i];
    if (!cell.is_leaf()) continue;
    const std::uint32_t first = max(cell.begin, tree.made_first), last = min(cell.end, tree.made_last);
    for (std::uint32_t j = first + threadIdx.x % split_lanes; j < last; j += split_lanes) tree.leaf[j] = i;
  }
}

/// All levels of the tree; the blocks wait for each other. A block has a stretch of the cells of a level and eight
/// threads a cell. Each level is passed twice: to count the children, and to number them after the blocks before.
__global__ void __launch_bounds__(octree_block)
    octree_kernel(const TreeOnDevice tree, std::uint32_t* ends, std::uint32_t* of_block) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  constexpr unsigned at_once = octree_block / split_lanes;
  const unsigned lane = threadIdx.x % split_lanes;
  const unsigned group = 0xffU << (threadIdx.x % 32 / split_lanes * split_lanes);
  std::uint32_t begin = 0, end = 1;
  for (int level = 0; level < tree::levels && begin < end; ++level) {
    const std::uint32_t width = end - begin;
    const std::uint32_t stretch = ((width + gridDim.x - 1) / gridDim.x + at_once - 1) / at_once * at_once;
    const std::uint32_t first = min(blockIdx.x * stretch, width), last = min(first + stretch, width);
    std::uint32_t made = 0, all = 0;
    for (std::uint32_t k = first + threadIdx.x / split_lanes; k < last; k += at_once) {
      const TreeCell cell = tree.cell[begin + k];
      if (tree::is_leaf(cell.size(), level, tree.n, tree.leaf_size)) continue;
      const std::uint32_t here = end_of_octant(tree, cell, level, lane);
      std::uint32_t before = __shfl_up_sync(group, here, 1, split_lanes);
      if (lane == 0) before = cell.begin;
      ends[split_lanes * std::size_t{k} + lane] = here;
      made += here > before ? 1 : 0;
    }
    sum_of_threads_before(made, all);
    if (threadIdx.x == 0) of_block[blockIdx.x] = all;
    grid.sync();
    std::uint32_t base = 0, total = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += octree_block) {
      const std::uint32_t of_one = of_block[b];
      total += of_one;
      if (b < blockIdx.x) base += of_one;
    }
    sum_of_threads_before(base, all), base = all;
    sum_of_threads_before(total, all), total = all;
    const bool has_room = total <= tree.room_for_cells - end;
    for (std::uint32_t from = first; from < last && has_room; from += at_once) {
      const std::uint32_t k = from + threadIdx.x / split_lanes;
      const TreeCell cell = k < last ? tree.cell[begin + k] : TreeCell{};
      const bool splits = k < last && !tree::is_leaf(cell.size(), level, tree.n, tree.leaf_size);
      const std::uint32_t here = splits ? ends[split_lanes * std::size_t{k} + lane] : 0;
      std::uint32_t before = __shfl_up_sync(~0U, here, 1, split_lanes);
      if (lane == 0) before = cell.begin;
      const bool is_new = splits && here > before;
      const unsigned children = __ballot_sync(~0U, is_new) & group;
      const std::uint32_t child = end + base + sum_of_threads_before(is_new ? 1 : 0, all);
      if (is_new) tree.cell[child] = {.begin = before, .end = here, .children = 0, .parent = begin + k};
      if (splits && lane == 0) tree.cell[begin + k].children = child << 4 | static_cast<unsigned>(__popc(children));
      base += all;
    }
    begin = end;
    end += total;
    if (!has_room) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) tree.control->level[level + 2] = end;
    grid.sync();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) tree.control->cells = end;
}

__global__ void __launch_bounds__(tree_block) places_kernel(const TreeOnDevice tree) {
  const std::uint32_t j = blockIdx.x * tree_block + threadIdx.x;
  if (j < tree.n) tree.place[tree.order[j]] = j;
}
__global__ void __launch_bounds__(tree_block) bodies_kernel(const __grid_constant__ TreeOfForce tree) {
  __shared__ TreePoint of_block[tree_block];
  const std::uint32_t begin = tree.made_first + blockIdx.x * tree_block, j = begin + threadIdx.x;
  if (j < tree.made_last) {
    const std::uint32_t i = tree.order[j];
    const double *x = tree.position, *y = x + tree.stride, *z = y + tree.stride;
    const double w = tree.weight[i];
    of_block[threadIdx.x] = {x[i], y[i], z[i], w};
    if (tree.sources_before != nullptr) tree.sources_before[j + 1] = w != 0 ? 1 : 0;
  }
  __syncthreads();
  tree.peers.put_block(tree.body + begin, of_block, min(tree.made_last - begin, tree_block), tree_block);
}
__global__ void __launch_bounds__(tree_block) sources_kernel(const __grid_constant__ TreeOfForce tree) {
  const std::uint32_t j = blockIdx.x * tree_block + threadIdx.x;
  if (j >= tree.n) return;
  const TreePoint body = tree.body[j];
  if (body.w != 0) tree.source[tree.sources_before[j]] = body;
}

}  // namespace

std::size_t bytes_of_scratch(std::uint32_t n) {
  std::size_t of_sort = 0, of_scan = 0;
  cub::DoubleBuffer<std::uint64_t> keys;
  cub::DoubleBuffer<std::uint32_t> order;
  check(cub::DeviceRadixSort::SortPairs(nullptr, of_sort, keys, order, n, 0, 3 * tree::levels),
        "querying the scratch memory of a sort");
  std::uint32_t* const counts = nullptr;
  check(cub::DeviceScan::InclusiveSum(nullptr, of_scan, counts, counts, n), "querying the scratch memory of a scan");
  return std::max(of_sort, of_scan);
}

void sort_bodies(TreeOnDevice& tree, const SortRoom& room, StreamHandle stream) {
  const unsigned blocks = blocks_for(tree.n, tree_block);
  check(cudaMemsetAsync(tree.control, 0, sizeof(TreeControl), stream.stream), "clearing memory");
  bounds_kernel<<<dim3(std::min(blocks, 256U), 3), tree_block, 0, stream.stream>>>(tree);
  cube_kernel<<<1, 1, 0, stream.stream>>>(tree);
  keys_kernel<<<blocks, tree_block, 0, stream.stream>>>(tree, room.key[0], room.order[0]);
  check(cudaGetLastError(), "starting the keys of bodies");
  cub::DoubleBuffer<std::uint64_t> keys(room.key[0], room.key[1]);
  cub::DoubleBuffer<std::uint32_t> order(room.order[0], room.order[1]);
  std::size_t bytes = room.bytes;
  check(cub::DeviceRadixSort::SortPairs(room.scratch, bytes, keys, order, tree.n, 0, 3 * tree::levels, stream.stream),
        "sorting bodies");
  tree.key = keys.Current();
  tree.order = room.order[0];
  if (order.Current() != tree.order)
    check(cudaMemcpyAsync(room.order[0], order.Current(), tree.n * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice,
                          stream.stream),
          "copying the order of bodies");
}

void find_places(const TreeOnDevice& tree, StreamHandle stream) {
  places_kernel<<<blocks_for(tree.n, tree_block), tree_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the places of bodies");
}

unsigned blocks_of_octree() {
  return resident_blocks(octree_kernel, octree_block);
}

void make_octree(const TreeOnDevice& tree, std::uint32_t* ends, std::uint32_t* of_block, unsigned blocks,
                 StreamHandle stream) {
  TreeOnDevice input = tree;
  void* arguments[] = {&input, &ends, &of_block};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(octree_kernel), dim3(blocks), dim3(octree_block),
                                    arguments, 0, stream.stream),
        "starting the octree");
  leaves_kernel<<<blocks, tree_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "starting the leaves");
}

void gather_bodies(const TreeOfForce& tree, void* scratch, std::size_t bytes, StreamHandle stream) {
  const unsigned blocks = blocks_for(tree.n, tree_block);
  if (tree.made_first < tree.made_last) {
    bodies_kernel<<<blocks_for(tree.made_last - tree.made_first, tree_block), tree_block, 0, stream.stream>>>(tree);
    check(cudaGetLastError(), "putting bodies in order");
  }
  if (tree.sources_before == nullptr) return;
  check(cub::DeviceScan::InclusiveSum(scratch, bytes, tree.sources_before + 1, tree.sources_before + 1, tree.n,
                                      stream.stream),
        "counting sources");
  sources_kernel<<<blocks, tree_block, 0, stream.stream>>>(tree);
  check(cudaGetLastError(), "putting sources in order");
}

}  // namespace orrery::sim::cuda
