// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/cuda/far.cuh"

namespace orrery::sim::cuda {

template void start_far<4>(const TreeOfForce&, bool, std::uint32_t, StreamHandle);

}  // namespace orrery::sim::cuda
