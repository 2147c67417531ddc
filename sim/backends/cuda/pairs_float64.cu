// SPDX-License-Identifier: MIT
// The pair kernels in float64.
#include "sim/backends/cuda/pairs.cuh"

namespace orrery::sim::cuda {

void sum_pairs_float64(const Launch& launch, std::size_t law, Wanted wanted, const Field<double>& field,
                       double* partial, Stream stream) {
  start_pairs<Float64, bodies_per_lane>(Laws{}, law, wanted, {launch, field, partial, stream});
}

}  // namespace orrery::sim::cuda
