// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/cuda/pairs.cuh"

namespace orrery::sim::cuda {

template void sum_pairs<Precision::float32_exact_root>(const Launch&, std::size_t, Outputs, const ParticleView<float>&,
                                                       const Slots<float>&, StreamHandle);

}  // namespace orrery::sim::cuda
