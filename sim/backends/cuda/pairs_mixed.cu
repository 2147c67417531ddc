// SPDX-License-Identifier: MIT
// The pair kernels in mixed.
#include "sim/backends/cuda/pairs.cuh"

namespace orrery::sim::cuda {

void sum_pairs_mixed(const Launch& launch, std::size_t law, Wanted wanted, const Field<float>& field, float* partial,
                     Stream stream) {
  start_pairs<Mixed, 1, 2, 8>(Laws{}, law, wanted, {launch, field, partial, stream});
}

namespace {

template <class... Law>
double unit_of(LawList<Law...>, std::size_t law) {
  constexpr double units[] = {Law::Interaction::is_inverse_square ? inverse_cube_unit<Mixed::Real> : 1.0 ...};
  return units[law];
}

}  // namespace

double mixed_unit(std::size_t law) {
  return unit_of(Laws{}, law);
}

}  // namespace orrery::sim::cuda
