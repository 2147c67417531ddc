// SPDX-License-Identifier: MIT
// Sorts particles by cells and builds neighbour lists, if the control block on the device says so.
#include <cooperative_groups.h>

#include <algorithm>

#include "sim/solvers/cells/cuda/lists.cuh"

namespace orrery::sim::cuda {
namespace {

using WholeGrid = cooperative_groups::grid_group;

/// Returns the exclusive prefix sum over a block's threads; `all`: the total.
__device__ __forceinline__ unsigned sum_before(unsigned own, unsigned& all) {
  __shared__ unsigned of_warp[cell_block / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = own;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += other;
  }
  __syncthreads();
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  unsigned before = 0;
  all = 0;
#pragma unroll
  for (unsigned w = 0; w < cell_block / 32; ++w) {
    if (w < warp) before += of_warp[w];
    all += of_warp[w];
  }
  return before + sum - own;
}

/// start[c] ← number of particles in the cells before c; counts become 0. Each block has a stretch of the cells.
template <class T>
__device__ __forceinline__ void scan_cells(const Particles<T, Solid<T>>& s, const WholeGrid& grid) {
  const unsigned cells = static_cast<unsigned>(s.grid.count());
  const unsigned stretch = (cells + gridDim.x - 1) / gridDim.x;
  const unsigned begin = min(blockIdx.x * stretch, cells), end = min(begin + stretch, cells);
  unsigned sum = 0, all;
  for (unsigned c = begin + threadIdx.x; c < end; c += cell_block) sum += s.count[c];
  sum_before(sum, all);
  if (threadIdx.x == 0) s.part[blockIdx.x] = all;
  grid.sync();
  sum = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += cell_block) sum += s.part[b];
  unsigned base;
  sum_before(sum, base);
  for (unsigned from = begin; from < end; from += cell_block) {
    const unsigned c = from + threadIdx.x, own = c < end ? s.count[c] : 0, before = sum_before(own, all);
    if (c < end) s.start[c] = base + before, s.count[c] = 0;
    base += all;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) s.start[cells] = s.n;
  grid.sync();
}

/// Sorts particles by cells from buffers `from` into the first buffers; from ≠ 0.
template <class T>
__device__ __forceinline__ void make_cells(const Particles<T, Solid<T>>& s, int from, const WholeGrid& grid) {
  using V = Solid<T>;
  const V* position = s.position[from];
  if (thread_of_all() == 0) s.control->lost = 0;
  for (unsigned i = thread_of_all(); i < s.n; i += all_threads())
    s.rank[i] = atomicAdd(&s.count[cell_of(s.grid, position[i])], 1U);
  grid.sync();
  scan_cells(s, grid);
  for (unsigned i = thread_of_all(); i < s.n; i += all_threads()) {
    const V p = position[i];
    const unsigned k = s.start[cell_of(s.grid, p)] + s.rank[i];
    s.position[0][k] = p;
    s.velocity[0][k] = s.velocity[from][i];
    if (!is_between(s.space, 0, p.x) || !is_between(s.space, 1, p.y) || !is_between(s.space, 2, p.z))
      s.control->lost = 1;
    s.near[k] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), p.id};
  }
}

/// Runs before a cycle or a single pass.
template <class T>
__global__ void __launch_bounds__(cell_block) cells_kernel(const __grid_constant__ Particles<T, Solid<T>> s) {
  const WholeGrid grid = cooperative_groups::this_grid();
  const Control& now = *s.control;
  const long long left = now.remaining.left - now.remaining.passed;
  const bool make = s.cycle > 0 ? left > 0 : s.forces && (now.has_cells == 0 || now.word.far != 0);
  const int from = position_of(now.done), done = make ? 0 : now.done;
  if (make && from != 0) make_cells(s, from, grid);
  grid.sync();
  if (thread_of_all() >= static_cast<unsigned>(longest_cycle) + 1) return;
  Control& next = *s.control;
  const int k = static_cast<int>(thread_of_all());
  next.stale[k] = k >= left || !make;
  if (k != 0) return;
  next.remaining = {left, 0};
  next.making = make;
  next.done = next.before = done;
  if (make) {
    next.has_cells = 1;
    next.word.far = s.cycle > 0;
    ++next.made;
  }
}

__device__ __forceinline__ std::uint32_t& at(Four& four, int k) {
  return reinterpret_cast<std::uint32_t*>(&four)[k];
}

/// Neighbours of one particle, unordered.
struct Found {
  std::uint32_t *id, *place;
  unsigned* count;
};

/// Builds the list of particle i by `list_lanes` threads that share the rows of cells around it. Neighbours are found
/// in any order; the rank of each is the number of smaller ids. Floats suffice, since a list may hold a few particles
/// too many. `narrow`: some axis has so few cells that all of them are neighbours.
template <bool narrow, class T>
__device__ __forceinline__ void make_list(const Particles<T, Solid<T>>& s, unsigned i, unsigned lane, unsigned lanes,
                                          const Found& all) {
  constexpr int ahead = 4;  // candidates loaded before the first is tested
  float period[3];
  for (int axis = 0; axis < 3; ++axis) period[axis] = static_cast<float>(s.space.period[axis]);
  const unsigned room = 4 * s.groups;
  const Solid<float> p = s.near[i];
  // Includes the rounding of positions to floats.
  const float reach = s.reach + 4.8e-7F * fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))), reach2 = reach * reach;
  const auto visit = [&](std::uint32_t begin, std::uint32_t end, float x, float y, float z) {
    x += p.x, y += p.y, z += p.z;
    for (std::uint32_t j = begin; j < end; j += ahead) {
      Solid<float> q[ahead];
#pragma unroll
      for (std::uint32_t u = 0; u < ahead; ++u) q[u] = s.near[min(j + u, end - 1)];
#pragma unroll
      for (std::uint32_t u = 0; u < ahead; ++u) {
        float dx = q[u].x - x, dy = q[u].y - y, dz = q[u].z - z;
        if constexpr (narrow) {
          dx = nearest_of(q[u].x - p.x, period[0]);
          dy = nearest_of(q[u].y - p.y, period[1]);
          dz = nearest_of(q[u].z - p.z, period[2]);
        }
        if (fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > reach2 || q[u].id == p.id || j + u >= end) continue;
        const unsigned k = atomicAdd(all.count, 1U);
        if (k < room) all.id[k] = q[u].id, all.place[k] = j + u;
      }
    }
  };
  visit_around(s.grid, period, s.start, p.x, p.y, p.z, static_cast<int>(lane), list_lanes, visit);
  __syncwarp(lanes);
  const unsigned found = *all.count, groups = (found + 3) / 4;
  if (found > room) {
    if (lane == 0) {
      atomicMax(&s.control->longest, found);
      s.length[i] = too_long;
    }
    return;
  }
  if (found + lane < 4 * groups) {  // padded by the particle itself, which is never its own neighbour
    all.id[found + lane] = ~0U;
    at(s.list[static_cast<std::size_t>(groups - 1) * s.stride + i], found % 4 + lane) = i;
  }
  __syncwarp(lanes);
  const auto* const ids = reinterpret_cast<const Four*>(all.id);
  for (unsigned k = lane; k < found; k += list_lanes) {
    const std::uint32_t id = all.id[k];
    unsigned order = 0;
    for (unsigned other = 0; other < groups; ++other) {
      const Four four = ids[other];
      order += (four.x < id) + (four.y < id) + (four.z < id) + (four.w < id);
    }
    at(s.list[static_cast<std::size_t>(order / 4) * s.stride + i], order % 4) = all.place[k];
  }
  if (lane == 0) s.length[i] = static_cast<std::uint16_t>(found);
}

template <class T>
__global__ void __launch_bounds__(cell_block, making_blocks_at_once)
    lists_kernel(const __grid_constant__ Particles<T, Solid<T>> s) {
  extern __shared__ Four shared[];
  __shared__ unsigned count[cell_block / list_lanes];
  static_assert(list_lanes == 4, "pads a group by up to three entries");
  if (s.control->making == 0) return;
  const unsigned room = 4 * s.groups, mine = threadIdx.x / list_lanes, lane = threadIdx.x % list_lanes,
                 i = thread_of_all() / list_lanes;
  if (lane == 0) count[mine] = 0;
  __syncwarp();
  const unsigned lanes = __ballot_sync(~0U, i < s.n);
  if (i >= s.n) return;
  if (s.control->lost != 0) {
    if (lane == 0) s.length[i] = too_long;
    return;
  }
  std::uint32_t* const found = s.found == nullptr ? reinterpret_cast<std::uint32_t*>(shared) + 2 * room * mine
                                                  : s.found + 2 * static_cast<std::size_t>(room) * i;
  const Found all{found, found + room, &count[mine]};
  if (s.grid.narrow) {
    make_list<true>(s, i, lane, lanes, all);
  } else {
    make_list<false>(s, i, lane, lanes, all);
  }
}

}  // namespace

/// At most as many blocks as can be resident, since they wait for each other.
template <class T>
unsigned blocks_of_cells(const Particles<T, Solid<T>>& particles, StreamHandle) {
  int at_once = 0, device = 0, multiprocessors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, cells_kernel<T>, cell_block, 0),
        "querying the occupancy");
  check(cudaGetDevice(&device), "querying the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "querying the device");
  return std::min(blocks_for(particles.n, cell_block), static_cast<unsigned>(at_once * multiprocessors));
}

template <class T>
void make_lists(const Particles<T, Solid<T>>& particles, unsigned blocks, StreamHandle stream) {
  void* arguments[] = {const_cast<Particles<T, Solid<T>>*>(&particles)};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(cells_kernel<T>), dim3(blocks), dim3(cell_block),
                                    arguments, 0, stream.stream),
        "starting cells of particles");
  list_neighbours(particles, stream);
}

template <class T>
void list_neighbours(const Particles<T, Solid<T>>& particles, StreamHandle stream) {
  if (particles.n == 0) return;
  const unsigned bytes = particles.found == nullptr ? shared_for_lists(particles.groups) : 0;
  lists_kernel<T><<<blocks_for(list_lanes * particles.n, cell_block), cell_block, bytes, stream.stream>>>(particles);
  check(cudaGetLastError(), "starting lists of particles");
}

template unsigned blocks_of_cells(const Particles<double, Solid<double>>&, StreamHandle);
template unsigned blocks_of_cells(const Particles<float, Solid<float>>&, StreamHandle);
template void make_lists(const Particles<double, Solid<double>>&, unsigned, StreamHandle);
template void make_lists(const Particles<float, Solid<float>>&, unsigned, StreamHandle);
template void list_neighbours(const Particles<double, Solid<double>>&, StreamHandle);
template void list_neighbours(const Particles<float, Solid<float>>&, StreamHandle);

}  // namespace orrery::sim::cuda
