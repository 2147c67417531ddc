// SPDX-License-Identifier: MIT
// Counting sort of particles in a plane by cells.
#include <cub/device/device_scan.cuh>

#include "sim/solvers/cells/cuda/sort.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned sort_block = 128;

template <class T>
__global__ void count_kernel(const __grid_constant__ Particles<T, Flat<T>> s) {
  const unsigned i = thread_of_all();
  if (i < s.n) s.rank[i] = count_in_cell(s, s.position[s.search.position][i]);
}

/// Also resets counts to 0.
template <class T>
__global__ void __launch_bounds__(sort_block) place_kernel(const __grid_constant__ Particles<T, Flat<T>> s) {
  const unsigned i = thread_of_all();
  for (unsigned c = i; c <= static_cast<unsigned>(s.grid.count()); c += all_threads()) s.count[c] = 0;
  raise_speed(*s.control, s.search, i < s.n ? place(s, s.search, i) : 0);
}

}  // namespace

std::size_t bytes_of_scan(int cells) {
  std::size_t bytes = 0;
  const std::uint32_t* counts = nullptr;
  std::uint32_t* starts = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, starts, cells + 1),
        "querying the scratch memory of a scan");
  return bytes;
}

template <class T>
void sort_by_cells(const Particles<T, Flat<T>>& particles, unsigned char* scratch, std::size_t bytes,
                   StreamHandle stream) {
  const unsigned blocks = blocks_for(particles.n, sort_block);
  if (!particles.search.counts) count_kernel<T><<<blocks, sort_block, 0, stream.stream>>>(particles);
  check(cudaGetLastError(), "counting particles");
  check(cub::DeviceScan::ExclusiveSum(scratch, bytes, particles.count, particles.start, particles.grid.count() + 1,
                                      stream.stream),
        "scanning cells");
  place_kernel<T><<<blocks, sort_block, 0, stream.stream>>>(particles);
  check(cudaGetLastError(), "moving particles to their cells");
}

template void sort_by_cells(const Particles<double, Flat<double>>&, unsigned char*, std::size_t, StreamHandle);
template void sort_by_cells(const Particles<float, Flat<float>>&, unsigned char*, std::size_t, StreamHandle);

}  // namespace orrery::sim::cuda
