// SPDX-License-Identifier: MIT
// Dispatch of passes to kernels by law.
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

template <class T>
void carry_out_passes(std::size_t law, const Particles<T, Solid<T>>& particles, StreamHandle stream) {
  static_assert(are_short_range_laws<typename NumberOf<T>::Real>(ShortRangeLaws{}));
  const dim3 blocks(std::max(1U, blocks_for(particles.n, cell_block)));
  const int single = particles.ranks > 0 ? particles.search.moves : -1;
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    if (particles.cycle == 0) launch_overlapping(pass_by_lists<Law, T>, blocks, cell_block, stream, particles, single);
    for (int pass = 0; pass < particles.cycle; ++pass)
      launch_overlapping(pass_by_lists<Law, T>, blocks, cell_block, stream, particles, pass);
  });
}

template <class T>
void carry_out_pass(std::size_t law, const Particles<T, Flat<T>>& particles, StreamHandle stream) {
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    launch_overlapping(pass_by_search<Law, T>, dim3(std::max(1U, blocks_for(particles.n, cell_block))), cell_block,
                       stream, particles);
  });
}

template <class T>
void carry_out_in_a_cluster(std::size_t law, const Particles<T, Flat<T>>& particles, StreamHandle stream) {
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    launch_cluster(passes_in_a_cluster<Law, T>, cluster_blocks, cluster_block, stream, particles);
  });
}

template <class T, class V>
void sum_potentials(std::size_t law, const Particles<T, V>& particles, double* potential, double* virial,
                    StreamHandle stream) {
  if (particles.n == 0) return;
  with_law(ShortRangeLaws{}, law, [&]<class Law>() {
    potentials_of<Law>(&particles)<<<blocks_for(particles.n, cell_block), cell_block, 0, stream.stream>>>(
        particles, potential, virial);
  });
  check(cudaGetLastError(), "starting potentials of particles");
}

}  // namespace orrery::sim::cuda
