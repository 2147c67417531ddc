// SPDX-License-Identifier: MIT
// Dispatch of sum_pairs to kernels by law, outputs and bodies per lane.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/forces/list.hpp"
#include "sim/forces/pair_law.hpp"
#include "sim/solvers/direct/cuda/fused.cuh"
#include "sim/solvers/direct/cuda/one_sided.cuh"
#include "sim/solvers/direct/cuda/pair_once.cuh"
#include "sim/solvers/direct/cuda/tiled.cuh"
#include "sim/solvers/direct/cuda/walk.cuh"

namespace orrery::sim::cuda {

template <class P>
struct Call {
  const Launch& launch;
  const ParticleView<typename P::Number>& field;
  const Slots<typename P::Number>& slots;
  StreamHandle stream;

  template <class Law, Outputs outputs, unsigned R>
  void start() const {
    const auto blocks_of = [&](unsigned block) { return dim3(blocks_for(field.n, block), launch.count); };
    switch (launch.kernel) {
      case PairKernel::pair_once:
        return launch_overlapping(pair_once<P, Law, outputs, R>, dim3(launch.count), lanes, stream, field, slots);
      case PairKernel::tiled:
        if constexpr (!P::floats) {
          launch_overlapping(tiled<P, Law, outputs, R>, blocks_of(lanes), sharing_block, stream, field, slots);
        }
        return;
      case PairKernel::one_sided:
        return launch_overlapping(one_sided<P, Law, outputs, R>, blocks_of(one_sided_block), one_sided_block, stream,
                                  field, slots);
      case PairKernel::fused:
        if constexpr (P::floats && R == 1) {
          launch_overlapping(fused<P, Law, outputs>, dim3(blocks_for(field.n, fused_warps)), fused_block, stream, field,
                             *launch.update);
        }
        return;
      case PairKernel::walk:
        return launch_overlapping(walk<P, Law, outputs, R>, blocks_of(walk_block), walk_block, stream, field, slots,
                                  launch.sources);
    }
  }
};

/// `per_lane` are the values of R that occur in the precision's order.
template <class P, unsigned... per_lane, class... Law>
void start_pairs(LawList<Law...>, std::size_t law, Outputs outputs, const Call<P>& call) {
  static_assert(are_pair_laws<typename P::Real>(LawList<Law...>{}));
  const auto start = [&]<class One>() {
    const auto with = [&]<unsigned R>() {
      if (call.field.order.per_lane != R) return;
      if (outputs == Outputs::forces) return call.template start<One, Outputs::forces, R>();
      if (outputs == Outputs::potential) return call.template start<One, Outputs::potential, R>();
      if constexpr (!P::floats) call.template start<One, Outputs::jerk, R>();
    };
    (with.template operator()<per_lane>(), ...);
  };
  std::size_t k = 0;
  ((k++ == law ? start.template operator()<typename Law::Interaction>() : void()), ...);
}

template <Precision precision>
void sum_pairs(const Launch& launch, std::size_t law, Outputs outputs,
               const ParticleView<typename PairNumbers<precision>::Number>& field,
               const Slots<typename PairNumbers<precision>::Number>& slots, StreamHandle stream) {
  const Call<OnGpu<precision>> call{launch, field, slots, stream};
  if constexpr (in_floats(precision)) {
    start_pairs<OnGpu<precision>, 1, 2, 8>(Laws{}, law, outputs, call);
  } else {
    start_pairs<OnGpu<precision>, bodies_per_lane>(Laws{}, law, outputs, call);
  }
}

}  // namespace orrery::sim::cuda
