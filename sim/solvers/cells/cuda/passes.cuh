// SPDX-License-Identifier: MIT
// From what was asked for to the kernels of passes: the law.
#pragma once

#include <algorithm>

#include "sim/backends/cuda/device.hpp"
#include "sim/forces/list.hpp"
#include "sim/forces/pair_law.hpp"
#include "sim/solvers/cells/cuda/lists.cuh"
#include "sim/solvers/cells/cuda/search.cuh"

namespace orrery::sim::cuda {

template <class Law, class T>
constexpr auto potentials_of(const Particles<T, Flat<T>>*) {
  return potentials_by_search<Law, T>;
}
template <class Law, class T>
constexpr auto potentials_of(const Particles<T, Solid<T>>*) {
  return potentials_by_lists<Law, T>;
}

/// Bytes of shared memory that lists are made in.
template <class T>
unsigned shared_bytes(const Particles<T, Solid<T>>& s) {
  return s.found == nullptr ? shared_for_lists(s.groups) : 0;
}

template <class Function, class... Law>
void with_law(LawList<Law...>, std::size_t law, const Function& function) {
  std::size_t k = 0;
  ((k++ == law ? function.template operator()<Law>() : void()), ...);
}

template <class T>
unsigned blocks_of_passes(std::size_t law, const Particles<T, Solid<T>>& particles, Stream) {
  static_assert(are_short_range_laws<typename NumberOf<T>::Real>(ShortRangeLaws{}));
  int at_once = 0, device = 0, multiprocessors = 0;
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    const auto kernel = passes_by_lists<Law, T>;
    const unsigned bytes = shared_bytes(particles);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          "asking for shared memory");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, cell_block, bytes), "asking for blocks");
  });
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "asking for multiprocessors");
  const unsigned wanted = (particles.n + cell_block - 1) / cell_block;
  return std::min(wanted, static_cast<unsigned>(at_once * multiprocessors));
}

template <class T>
void carry_out_passes(std::size_t law, const Particles<T, Solid<T>>& particles, unsigned blocks, Stream stream) {
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    void* arguments[] = {const_cast<Particles<T, Solid<T>>*>(&particles)};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(passes_by_lists<Law, T>), dim3(blocks),
                                      dim3(cell_block), arguments, shared_bytes(particles), stream.queue),
          "starting passes over particles");
  });
}

template <class T>
void carry_out_pass(std::size_t law, const Particles<T, Flat<T>>& particles, Stream stream) {
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    launch_close_behind(pass_by_search<Law, T>, dim3((particles.n + cell_block - 1) / cell_block), cell_block, stream,
                        particles);
  });
}

template <class T, class V>
void sum_potentials(std::size_t law, const Particles<T, V>& particles, double* potential, double* virial,
                    Stream stream) {
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    potentials_of<Law>(&particles)<<<(particles.n + cell_block - 1) / cell_block, cell_block, 0, stream.queue>>>(
        particles, potential, virial);
  });
  check(cudaGetLastError(), "starting potentials of particles");
}

}  // namespace orrery::sim::cuda
