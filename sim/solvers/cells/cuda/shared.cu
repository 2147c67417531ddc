// SPDX-License-Identifier: MIT
// Counting sort of the particles of one rank by its cells, and the particles of other ranks beside them.
#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "sim/backends/cuda/exchange.cuh"
#include "sim/solvers/cells/cuda/shared.cuh"
#include "sim/solvers/cells/cuda/sort.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned shared_block = 128;
/// Blocks for particles that only the device has counted.
constexpr unsigned blocks_of_few = 64;

/// Copies particle i to place k of these buffers and numbers of images, in memory `shift` bytes from that of this rank.
template <class T, class V>
__device__ __forceinline__ void copy_particle(const Particles<T, V>& s, const Places& from, unsigned i,
                                              const Places& to, int* const (&images)[3], unsigned k,
                                              std::ptrdiff_t shift) {
  const auto there = [&]<class Number>(Number* array) {
    return reinterpret_cast<Number*>(reinterpret_cast<char*>(array) + shift);
  };
  there(s.position[to.position])[k] = s.position[from.position][i];
  there(s.velocity[to.velocity])[k] = s.velocity[from.velocity][i];
  if constexpr (V::axes == 2) there(s.id[to.velocity])[k] = s.id[from.velocity][i];
  for (int axis = 0; axis < 3; ++axis) {
    if (s.image[axis] != nullptr) there(images[axis])[k] = s.image[axis][i];
  }
}

template <class T, class V>
__global__ void count_layers_kernel(const __grid_constant__ Particles<T, V> s, Places at) {
  const unsigned i = thread_of_all();
  if (i < s.n) atomicAdd(&s.count[cell_of(s.grid, s.position[at.position][i]) / s.grid.cells_of_layer()], 1U);
}

/// Returns the rank of particle i in its cell.
template <class T, class V>
__device__ __forceinline__ std::uint32_t count_own(const Particles<T, V>& s, const SharedSort& sort, unsigned i) {
  const V p = s.position[sort.from.position][i];
  if constexpr (V::axes == 3) {
    if (!is_between(s.space, 0, p.x) || !is_between(s.space, 1, p.y) || !is_between(s.space, 2, p.z))
      s.control->word.counted.lost = 1;
  }
  return s.rank[i] = count_in_cell(s, p);
}
template <class T, class V>
__global__ void count_own_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort, bool leaving) {
  const unsigned i = thread_of_all();
  if (i < s.n && count_own(s, sort, i) == elsewhere && leaving) list_leaving(s, sort.to.velocity, i);
}
template <class T, class V>
__global__ void count_arrivals_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort) {
  unsigned arrived = 0;
  for (int rank = 0; s.words != nullptr && rank < s.ranks; ++rank) arrived += s.words[rank].counted.leaving;
  if (s.words != nullptr) arrived -= s.control->word.counted.leaving;
  if (thread_of_all() == 0) s.control->arrived = arrived;
  for (unsigned k = thread_of_all(); k < arrived; k += all_threads()) (void)count_own(s, sort, s.n + k);
}

template <class T, class V>
__global__ void gather_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort, unsigned count) {
  const unsigned k = thread_of_all();
  if (k >= count) return;
  const std::uint32_t i = listed_in(s, sort.to.velocity, k);
  copy_particle(s, sort.from, i, sort.to, s.image_to, k, 0);
}
template <class T, class V>
__global__ void send_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort,
                            const __grid_constant__ Departure departure) {
  const unsigned count = s.words[departure.own].counted.leaving;
  unsigned before = 0;  // those of earlier ranks arrive before those of this one
  for (int rank = 0; rank < departure.own; ++rank) before += s.words[rank].counted.leaving;
  for (int rank = 0; rank < s.ranks; ++rank) {
    if (rank == departure.own) continue;
    const unsigned first = s.words[rank].own + before - (rank < departure.own ? s.words[rank].counted.leaving : 0);
    for (unsigned k = thread_of_all(); k < count; k += all_threads())
      copy_particle(s, sort.from, listed_in(s, sort.to.velocity, k), sort.from, s.image, first + k,
                    departure.shift[rank]);
  }
  signal_and_wait(departure.signals);
}

template <class T, class V>
__global__ void control_kernel(const __grid_constant__ Particles<T, V> s, int halo) {
  Control& control = *s.control;
  if (control.done != s.search.moves) return;
  control.done = 0;
  control.making = 1;
  control.lost = 0;
  Control::Word& word = control.word;
  word.far = 0;
  word.counted.leaving = 0;
  word.own = 0;
  const auto [begin, end] = s.layers;
  if (begin == end) return;
  const int layer = s.grid.cells_of_layer();
  word.own = s.start[end * layer - 1];
  word.low_end = s.start[min(begin + halo, end) * layer - 1];
  word.high_begin = s.start[max(end - halo, begin) * layer];
}

/// Moves a particle to its cell; returns the maximum component of its velocity.
template <class T, class V>
__device__ __forceinline__ float place_own(const Particles<T, V>& s, const SharedSort& sort, unsigned i) {
  const V p = s.position[sort.from.position][i], v = s.velocity[sort.from.velocity][i];
  const unsigned k = s.start[cell_of(s.grid, p)] + s.rank[i];
  copy_particle(s, sort.from, i, sort.to, s.image_to, k, 0);
  if constexpr (V::axes == 2 && sizeof(T) > sizeof(float))
    s.rounded[sort.to.position][k] = {static_cast<float>(p.x), static_cast<float>(p.y)};
  if constexpr (V::axes == 3)
    s.near[k] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), p.id};
  return fmaxf(fabsf(static_cast<float>(v.x)), fabsf(static_cast<float>(v.y)));
}

template <class T, class V>
__global__ void __launch_bounds__(shared_block)
    place_own_kernel(const __grid_constant__ Particles<T, V> s, SharedSort sort) {
  if (s.control->done != 0) return;
  const unsigned last = s.n + s.control->arrived, layer = static_cast<unsigned>(s.grid.cells_of_layer());
  float speed = 0;
  for (unsigned i = thread_of_all(); i < last; i += all_threads()) {
    if (s.rank[i] != elsewhere) speed = fmaxf(speed, place_own(s, sort, i));
  }
  for (unsigned c = s.layers.first * layer + thread_of_all(); c < s.layers.last * layer; c += all_threads())
    s.count[c] = 0;
  if constexpr (V::axes == 2) raise_speed(*s.control, s.search, speed);
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
void SharedSorting<T, V>::count_layers(const Particles<T, V>& particles, const Places& at, StreamHandle stream) {
  count_layers_kernel<T, V><<<blocks_for(particles.n, shared_block), shared_block, 0, stream.stream>>>(particles, at);
  check(cudaGetLastError(), "counting the particles of layers");
}

template <class T, class V>
void SharedSorting<T, V>::count(const Particles<T, V>& particles, const SharedSort& sort, bool leaving,
                                StreamHandle stream) {
  if (particles.n == 0) return;
  count_own_kernel<T, V>
      <<<blocks_for(particles.n, shared_block), shared_block, 0, stream.stream>>>(particles, sort, leaving);
  check(cudaGetLastError(), "counting the particles of a rank");
}

template <class T, class V>
void SharedSorting<T, V>::count_arrivals(const Particles<T, V>& particles, const SharedSort& sort,
                                         StreamHandle stream) {
  count_arrivals_kernel<T, V><<<blocks_of_few, shared_block, 0, stream.stream>>>(particles, sort);
  check(cudaGetLastError(), "counting the particles of other ranks");
}

template <class T, class V>
void SharedSorting<T, V>::gather_leaving(const Particles<T, V>& particles, const SharedSort& sort, unsigned count,
                                         StreamHandle stream) {
  if (count == 0) return;
  gather_kernel<T, V><<<blocks_for(count, shared_block), shared_block, 0, stream.stream>>>(particles, sort, count);
  check(cudaGetLastError(), "gathering the particles that leave a rank");
}

template <class T, class V>
void SharedSorting<T, V>::send_leaving(const Particles<T, V>& particles, const SharedSort& sort,
                                       const Departure& departure, StreamHandle stream) {
  send_kernel<T, V><<<blocks_of_few, shared_block, 0, stream.stream>>>(particles, sort, departure);
  check(cudaGetLastError(), "sending the particles that leave a rank");
}

template <class T, class V>
void SharedSorting<T, V>::start_cells(const Particles<T, V>& particles, int halo, unsigned char* scratch,
                                      std::size_t bytes, StreamHandle stream) {
  const auto [first, last] = particles.layers;
  const int layer = particles.grid.cells_of_layer();
  if (first < last) {
    const std::ptrdiff_t before = static_cast<std::ptrdiff_t>(first) * layer;
    check(cub::DeviceScan::ExclusiveSum(scratch, bytes, particles.count + before, particles.start + before,
                                        (last - first) * layer, stream.stream),
          "scanning the cells of a rank");
  }
  control_kernel<T, V><<<1, 1, 0, stream.stream>>>(particles, halo);
  check(cudaGetLastError(), "starting the cells of a rank");
}

template <class T, class V>
void SharedSorting<T, V>::place(const Particles<T, V>& particles, const SharedSort& sort, StreamHandle stream) {
  const unsigned blocks = std::max(blocks_of_few, blocks_for(particles.n, shared_block));
  place_own_kernel<T, V><<<blocks, shared_block, 0, stream.stream>>>(particles, sort);
  check(cudaGetLastError(), "moving the particles of a rank to their cells");
}

template <class T, class V>
void SharedSorting<T, V>::append_halo(const Particles<T, V>& particles, const Halo& halo, StreamHandle stream) {
  const auto cells = static_cast<unsigned>((halo.layers.last - halo.layers.first) * particles.grid.cells_of_layer());
  const unsigned blocks = blocks_for(std::max(cells, halo.count), shared_block);
  adopt_kernel<T, V><<<blocks, shared_block, 0, stream.stream>>>(particles, halo);
  check(cudaGetLastError(), "taking the particles of other ranks");
}

template struct SharedSorting<double, Flat<double>>;
template struct SharedSorting<float, Flat<float>>;
template struct SharedSorting<double, Solid<double>>;
template struct SharedSorting<float, Solid<float>>;

}  // namespace orrery::sim::cuda
