// SPDX-License-Identifier: MIT
// The pair kernels in mixed.
#include "sim/solvers/direct/cuda/pairs.cuh"

namespace orrery::sim::cuda {

void sum_pairs_mixed(const Launch& launch, std::size_t law, Outputs outputs, const ParticleView<float>& field,
                     const Slots<float>& slots, StreamHandle stream) {
  start_pairs<OnGpu<Precision::mixed>, 1, 2, 8>(Laws{}, law, outputs, {launch, field, slots, stream});
}

namespace {

template <class... Law>
double unit_of(LawList<Law...>, std::size_t law) {
  constexpr double units[] = {Law::Interaction::is_inverse_square ? inverse_cube_unit<OnGpu<Precision::mixed>::Real>
                                                                  : 1.0 ...};
  return units[law];
}

}  // namespace

double mixed_unit(std::size_t law) {
  return unit_of(Laws{}, law);
}

}  // namespace orrery::sim::cuda
