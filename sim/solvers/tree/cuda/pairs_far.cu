// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/cuda/far.cuh"

namespace orrery::sim::cuda {

void sum_far(const TreeOfForce& tree, bool dipoles, std::uint32_t cells, StreamHandle stream) {
  for_order(tree, [&]<int P>() { start_far<P>(tree, dipoles, cells, stream); });
}

}  // namespace orrery::sim::cuda
