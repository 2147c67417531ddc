// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/cuda/far.cuh"

namespace orrery::sim::cuda {

void sum_far(const TreeOfForce& tree, bool dipoles, std::uint32_t cells, StreamHandle stream) {
  switch (tree.expansion_order) {
    case 3:
      return start_far<3>(tree, dipoles, cells, stream);
    case 4:
      return start_far<4>(tree, dipoles, cells, stream);
    case 5:
      return start_far<5>(tree, dipoles, cells, stream);
    default:
      return start_far<6>(tree, dipoles, cells, stream);
  }
}

}  // namespace orrery::sim::cuda
