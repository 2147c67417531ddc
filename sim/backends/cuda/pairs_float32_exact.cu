// SPDX-License-Identifier: MIT
// The pair kernels in float32 with exact roots.
#include "sim/backends/cuda/pairs.cuh"

namespace orrery::sim::cuda {

void sum_pairs_float32_exact(const Launch& launch, std::size_t law, Wanted wanted, const Field<float>& field,
                             float* partial, Stream stream) {
  start_pairs<Float32<Root::exact>, 1, 2, 8>(Laws{}, law, wanted, {launch, field, partial, stream});
}

}  // namespace orrery::sim::cuda
