// SPDX-License-Identifier: MIT
// Counting sort of the particles of one rank by its cells, and the particles of other ranks beside them.
#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "sim/solvers/cells/cuda/sort.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned shared_block = 128;
/// The rank in its cell of a particle whose cell another rank has.
constexpr std::uint32_t elsewhere = ~0U;

template <class T, class V>
__global__ void count_own_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort, unsigned first,
                                 unsigned last, bool leaving) {
  const unsigned i = first + thread_of_all();
  // The host may have expected passes that were skipped.
  if (i >= last || s.control->done != s.search.moves) return;
  const V p = s.position[sort.from.position][i];
  const int cell = cell_of(s.grid, p), begin = sort.layers.first * s.grid.cells_of_layer(),
            end = sort.layers.last * s.grid.cells_of_layer();
  const bool own = cell >= begin && cell < end;
  s.rank[i] = own ? atomicAdd(&s.count[cell - begin], 1U) : elsewhere;
  if (own || !leaving) return;
  const unsigned k = atomicAdd(&s.control->sorted.leaving, 1U);
  s.position[sort.to.position][k] = p;
  s.velocity[sort.to.velocity][k] = s.velocity[sort.from.velocity][i];
  if constexpr (V::axes == 2) s.id[sort.to.velocity][k] = s.id[sort.from.velocity][i];
  for (int axis = 0; axis < 3; ++axis) {
    if (s.image[axis] != nullptr) s.image_to[axis][k] = s.image[axis][i];
  }
}

/// Moves a particle to its cell; returns the maximum component of its velocity.
template <class T, class V>
__device__ __forceinline__ float place_own(const Particles<T, V>& s, const SharedSort& sort, unsigned i) {
  const V p = s.position[sort.from.position][i], v = s.velocity[sort.from.velocity][i];
  const unsigned k = s.start[cell_of(s.grid, p)] + s.rank[i];
  s.position[sort.to.position][k] = p;
  s.velocity[sort.to.velocity][k] = v;
  if constexpr (V::axes == 2) s.id[sort.to.velocity][k] = s.id[sort.from.velocity][i];
  if constexpr (V::axes == 2 && sizeof(T) > sizeof(float))
    s.rounded[sort.to.position][k] = {static_cast<float>(p.x), static_cast<float>(p.y)};
  if constexpr (V::axes == 3) {
    s.near[k] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), p.id};
    if (!is_between(s.space, 0, p.x) || !is_between(s.space, 1, p.y) || !is_between(s.space, 2, p.z))
      s.control->lost = 1;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (s.image[axis] != nullptr) s.image_to[axis][k] = s.image[axis][i];
  }
  return fmaxf(fabsf(static_cast<float>(v.x)), fabsf(static_cast<float>(v.y)));
}

template <class T, class V>
__global__ void __launch_bounds__(shared_block)
    place_own_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort, unsigned last) {
  const unsigned i = thread_of_all();
  const float speed = i < last && s.rank[i] != elsewhere ? place_own(s, sort, i) : 0;
  if constexpr (V::axes == 2) raise_speed(*s.control, s.search, speed);
  if (i != 0) return;
  Control& control = *s.control;
  control.done = 0;
  control.making = 1;
  control.word.far = 0;
  const auto [begin, end] = sort.layers;
  if (begin == end) return;
  const int layer = s.grid.cells_of_layer();
  control.sorted.own = s.start[end * layer - 1];
  control.sorted.low_end = s.start[min(begin + sort.halo, end) * layer - 1];
  control.sorted.high_begin = s.start[max(end - sort.halo, begin) * layer];
}

template <class T, class V>
__global__ void adopt_kernel(const __grid_constant__ Particles<T, V> s, Halo halo) {
  const int layer = s.grid.cells_of_layer();
  const unsigned k = thread_of_all();
  if (k < static_cast<unsigned>((halo.layers.last - halo.layers.first) * layer))
    s.start[halo.layers.first * layer + k] += halo.shift;
  if constexpr (V::axes == 3) {
    if (k >= halo.count) return;
    const V p = s.position[0][halo.begin + k];
    s.near[halo.begin + k] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), p.id};
  }
}

}  // namespace

template <class T, class V>
void count_shared(const Particles<T, V>& particles, const SharedSort& sort, unsigned first, unsigned last, bool leaving,
                  StreamHandle stream) {
  if (first == last) return;
  count_own_kernel<T, V><<<blocks_for(last - first, shared_block), shared_block, 0, stream.stream>>>(
      particles, sort, first, last, leaving);
  check(cudaGetLastError(), "counting the particles of a rank");
}

template <class T, class V>
void place_shared(const Particles<T, V>& particles, const SharedSort& sort, unsigned last, unsigned char* scratch,
                  std::size_t bytes, StreamHandle stream) {
  const int layer = particles.grid.cells_of_layer(), cells = (sort.layers.last - sort.layers.first) * layer;
  if (cells > 0) {
    check(cub::DeviceScan::ExclusiveSum(scratch, bytes, particles.count,
                                        particles.start + static_cast<std::ptrdiff_t>(sort.layers.first) * layer, cells,
                                        stream.stream),
          "scanning the cells of a rank");
  }
  place_own_kernel<T, V>
      <<<std::max(1U, blocks_for(last, shared_block)), shared_block, 0, stream.stream>>>(particles, sort, last);
  check(cudaGetLastError(), "moving the particles of a rank to their cells");
}

template <class T, class V>
void adopt_halo(const Particles<T, V>& particles, const Halo& halo, StreamHandle stream) {
  const auto cells = static_cast<unsigned>((halo.layers.last - halo.layers.first) * particles.grid.cells_of_layer());
  const unsigned blocks = blocks_for(std::max(cells, halo.count), shared_block);
  adopt_kernel<T, V><<<blocks, shared_block, 0, stream.stream>>>(particles, halo);
  check(cudaGetLastError(), "taking the particles of other ranks");
}

template void count_shared(const Particles<double, Flat<double>>&, const SharedSort&, unsigned, unsigned, bool,
                           StreamHandle);
template void place_shared(const Particles<double, Flat<double>>&, const SharedSort&, unsigned, unsigned char*,
                           std::size_t, StreamHandle);
template void adopt_halo(const Particles<double, Flat<double>>&, const Halo&, StreamHandle);
template void count_shared(const Particles<float, Flat<float>>&, const SharedSort&, unsigned, unsigned, bool,
                           StreamHandle);
template void place_shared(const Particles<float, Flat<float>>&, const SharedSort&, unsigned, unsigned char*,
                           std::size_t, StreamHandle);
template void adopt_halo(const Particles<float, Flat<float>>&, const Halo&, StreamHandle);
template void count_shared(const Particles<double, Solid<double>>&, const SharedSort&, unsigned, unsigned, bool,
                           StreamHandle);
template void place_shared(const Particles<double, Solid<double>>&, const SharedSort&, unsigned, unsigned char*,
                           std::size_t, StreamHandle);
template void adopt_halo(const Particles<double, Solid<double>>&, const Halo&, StreamHandle);
template void count_shared(const Particles<float, Solid<float>>&, const SharedSort&, unsigned, unsigned, bool,
                           StreamHandle);
template void place_shared(const Particles<float, Solid<float>>&, const SharedSort&, unsigned, unsigned char*,
                           std::size_t, StreamHandle);
template void adopt_halo(const Particles<float, Solid<float>>&, const Halo&, StreamHandle);

}  // namespace orrery::sim::cuda
