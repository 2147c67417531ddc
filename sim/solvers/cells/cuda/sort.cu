// SPDX-License-Identifier: MIT
// Flat particles in the order of their cells: counts, a scan, and everybody to their place.
#include <cub/device/device_scan.cuh>

#include "sim/solvers/cells/cuda/cells.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned sort_block = 128;

template <class T>
__global__ void count_kernel(const __grid_constant__ Particles<T, Flat<T>> s) {
  const unsigned i = thread_of_all();
  if (i < s.n) s.rank[i] = atomicAdd(&s.count[cell_of(s.grid, s.position[s.at.position][i])], 1U);
}

/// Counts become 0 for the next time; the fastest of all begins a bound anew.
template <class T>
__global__ void __launch_bounds__(sort_block) place_kernel(const __grid_constant__ Particles<T, Flat<T>> s) {
  const unsigned i = thread_of_all();
  for (unsigned c = i; c <= static_cast<unsigned>(s.grid.count()); c += all_threads()) s.count[c] = 0;
  float speed = 0;
  if (i < s.n) {
    const Flat<T> p = s.position[s.at.position][i], v = s.velocity[s.at.velocity][i];
    const unsigned to = s.start[cell_of(s.grid, p)] + s.rank[i];
    s.position[1 - s.at.position][to] = p;
    s.velocity[1 - s.at.velocity][to] = v;
    s.id[1 - s.at.velocity][to] = s.id[s.at.velocity][i];
    speed = fmaxf(fabsf(static_cast<float>(v.x)), fabsf(static_cast<float>(v.y)));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) speed = fmaxf(speed, __shfl_xor_sync(~0U, speed, lanes));
  unsigned* const fastest = &s.control->fastest[1 - s.slot];
  if (threadIdx.x % 32 == 0 && __float_as_uint(speed) > *static_cast<volatile unsigned*>(fastest))
    atomicMax(fastest, __float_as_uint(speed));
}

}  // namespace

std::size_t bytes_of_scan(int cells) {
  std::size_t bytes = 0;
  const std::uint32_t* counts = nullptr;
  std::uint32_t* starts = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, starts, cells + 1), "asking for a scan");
  return bytes;
}

template <class T>
void sort_by_cells(const Particles<T, Flat<T>>& particles, bool counted, unsigned char* scratch, std::size_t bytes,
                   Stream stream) {
  const unsigned blocks = (particles.n + sort_block - 1) / sort_block;
  if (!counted) count_kernel<T><<<blocks, sort_block, 0, stream.queue>>>(particles);
  check(cudaGetLastError(), "counting particles");
  check(cub::DeviceScan::ExclusiveSum(scratch, bytes, particles.count, particles.start, particles.grid.count() + 1,
                                      stream.queue),
        "scanning cells");
  place_kernel<T><<<blocks, sort_block, 0, stream.queue>>>(particles);
  check(cudaGetLastError(), "bringing particles to their cells");
}

template void sort_by_cells(const Particles<double, Flat<double>>&, bool, unsigned char*, std::size_t, Stream);
template void sort_by_cells(const Particles<float, Flat<float>>&, bool, unsigned char*, std::size_t, Stream);

}  // namespace orrery::sim::cuda
