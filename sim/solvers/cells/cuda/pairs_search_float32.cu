// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/cuda/passes.cuh"

namespace orrery::sim::cuda {

template void carry_out_pass(std::size_t, const Particles<float, Flat<float>>&, StreamHandle);
template void carry_out_in_a_cluster(std::size_t, const Particles<float, Flat<float>>&, StreamHandle);
template void sum_potentials(std::size_t, const Particles<float, Flat<float>>&, double*, double*, StreamHandle);

}  // namespace orrery::sim::cuda
