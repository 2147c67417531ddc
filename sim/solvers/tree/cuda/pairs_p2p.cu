// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/forces/list.hpp"
#include "sim/solvers/tree/cuda/near.cuh"
#include "sim/solvers/tree/cuda/residency.cuh"

namespace orrery::sim::cuda {
namespace {

using NearKernel = void (*)(TreeOfForce, std::uint32_t);

/// The kernels of a law and those after it. Laws with the same interaction share them.
template <class... Law>
NearKernel kernel_of(LawList<Law...>, std::size_t law, Outputs outputs) {
  static constexpr NearKernel forces[] = {near_kernel<typename Law::Interaction, Outputs::forces>...};
  static constexpr NearKernel potentials[] = {near_kernel<typename Law::Interaction, Outputs::potential>...};
  return outputs == Outputs::potential ? potentials[law] : forces[law];
}

}  // namespace

void p2p(const TreeOfForce& tree, std::size_t law, std::uint32_t pieces, StreamHandle stream) {
  if (pieces == 0) return;
  const NearKernel kernel = kernel_of(Laws(), law, tree.outputs);
  kernel<<<std::min(blocks_for(pieces, near_warps), resident_blocks(kernel, near_block)), near_block, 0,
           stream.stream>>>(tree, pieces);
  check(cudaGetLastError(), "starting near pairs");
}

}  // namespace orrery::sim::cuda
