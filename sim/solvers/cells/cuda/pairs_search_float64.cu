// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/cuda/passes.cuh"

namespace orrery::sim::cuda {

template void carry_out_pass(std::size_t, const Particles<double, Flat<double>>&, StreamHandle);
template void carry_out_in_a_cluster(std::size_t, const Particles<double, Flat<double>>&, StreamHandle);
template void sum_potentials(std::size_t, const Particles<double, Flat<double>>&, double*, double*, StreamHandle);

}  // namespace orrery::sim::cuda
