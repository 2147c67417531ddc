// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/cuda/m2l.cuh"

namespace orrery::sim::cuda {

void m2l(const TreeOfForce& tree, bool dipoles, std::uint32_t cells, StreamHandle stream) {
  for_order(tree, [&]<int P>() { start_m2l<P>(tree, dipoles, cells, stream); });
}

}  // namespace orrery::sim::cuda
