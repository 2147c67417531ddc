// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/cuda/passes.cuh"

namespace orrery::sim::cuda {

template void carry_out_passes(std::size_t, const Particles<float, Solid<float>>&, StreamHandle);
template void sum_potentials(std::size_t, const Particles<float, Solid<float>>&, double*, double*, StreamHandle);

}  // namespace orrery::sim::cuda
