// SPDX-License-Identifier: MIT
// The pair kernels in float64.
#include "sim/solvers/direct/cuda/pairs.cuh"

namespace orrery::sim::cuda {

void sum_pairs_float64(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<double>& field,
                       const Slots<double>& slots, StreamHandle stream) {
  start_pairs<OnGpu<Precision::float64>, bodies_per_lane>(Laws{}, law, outputs, {launch, field, slots, stream});
}

}  // namespace orrery::sim::cuda
