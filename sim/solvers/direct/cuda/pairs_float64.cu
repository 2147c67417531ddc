// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/cuda/pairs.cuh"

namespace orrery::sim::cuda {

template void sum_pairs<Precision::float64>(const Launch&, std::size_t, Outputs, const ParticleView<double>&,
                                            const Slots<double>&, StreamHandle);

}  // namespace orrery::sim::cuda
