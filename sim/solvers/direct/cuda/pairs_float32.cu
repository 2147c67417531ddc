// SPDX-License-Identifier: MIT
// The pair kernels in float32.
#include "sim/solvers/direct/cuda/pairs.cuh"

namespace orrery::sim::cuda {

void sum_pairs_float32(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<float>& field,
                       const Slots<float>& slots, StreamHandle stream) {
  start_pairs<OnGpu<Precision::float32>, 1, 2, 8>(Laws{}, law, outputs, {launch, field, slots, stream});
}

}  // namespace orrery::sim::cuda
