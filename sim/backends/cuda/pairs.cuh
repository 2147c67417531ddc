// SPDX-License-Identifier: MIT
// From what was asked for to the kernel that does it: law, potential or not, bodies in a lane, and unrolling.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/backends/cuda/one_sided.cuh"
#include "sim/backends/cuda/pair_once.cuh"
#include "sim/forces/list.hpp"

namespace orrery::sim::cuda {

template <class P>
struct Call {
  const Launch& launch;
  const Field<typename P::Number>& field;
  typename P::Number* partial;
  Stream stream;

  template <class Law, bool potential, unsigned R>
  void once() const {
    const std::size_t chunks = field.chunks();
    launch_close_behind(pair_once<P, Law, potential, R>, dim3(static_cast<unsigned>(chunks * (chunks + 1) / 2)), lanes,
                        stream, field, partial);
  }
  template <class Law, bool potential, unsigned R, int unroll>
  void from_both_sides() const {
    const auto block = static_cast<unsigned>(launch.block);
    const dim3 grid(static_cast<unsigned>((field.n + block - 1) / block), static_cast<unsigned>(field.chunks()));
    const auto kernel =
        launch.kernel == PairKernel::tiled ? tiled<P, Law, potential, R, unroll> : direct<P, Law, potential, R, unroll>;
    launch_close_behind(kernel, grid, block, stream, field, partial);
  }
  template <class Law, bool potential, unsigned R>
  void start() const {
    if (launch.kernel == PairKernel::pair_once) return once<Law, potential, R>();
    if constexpr (!potential) {  // what is studied is the loop over forces; the other is seldom run
      if (launch.unroll == 1) return from_both_sides<Law, potential, R, 1>();
      if (launch.unroll == 2) return from_both_sides<Law, potential, R, 2>();
      if (launch.unroll == 8) return from_both_sides<Law, potential, R, 8>();
    }
    from_both_sides<Law, potential, R, 4>();
  }
};

/// `per_lane` are the R that the precision's order knows.
template <class P, unsigned... per_lane, class... Law>
void start_pairs(LawList<Law...>, std::size_t law, bool potential, const Call<P>& call) {
  const auto start = [&]<class One>() {
    const auto with = [&]<unsigned R>() {
      if (call.field.order.per_lane != R) return;
      if (potential) {
        call.template start<One, true, R>();
      } else {
        call.template start<One, false, R>();
      }
    };
    (with.template operator()<per_lane>(), ...);
  };
  std::size_t k = 0;
  ((k++ == law ? start.template operator()<typename Law::Interaction>() : void()), ...);
}

}  // namespace orrery::sim::cuda
