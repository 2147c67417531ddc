// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/cuda/pairs.cuh"

namespace orrery::sim::cuda {

template void sum_pairs<Precision::mixed>(const Launch&, std::size_t, Outputs, const ParticleView<float>&,
                                          const Slots<float>&, StreamHandle);

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
