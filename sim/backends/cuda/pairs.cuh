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

  template <class Law, Wanted wanted, unsigned R>
  void once() const {
    const std::size_t chunks = field.chunks();
    launch_close_behind(pair_once<P, Law, wanted, R>, dim3(static_cast<unsigned>(chunks * (chunks + 1) / 2)), lanes,
                        stream, field, partial);
  }
  template <class Law, Wanted wanted, unsigned R, int unroll>
  void from_both_sides() const {
    const auto block = static_cast<unsigned>(launch.block);
    const dim3 grid(static_cast<unsigned>((field.n + block - 1) / block), static_cast<unsigned>(field.chunks()));
    const auto kernel =
        launch.kernel == PairKernel::tiled ? tiled<P, Law, wanted, R, unroll> : direct<P, Law, wanted, R, unroll>;
    launch_close_behind(kernel, grid, block, stream, field, partial);
  }
  template <class Law, Wanted wanted, unsigned R>
  void start() const {
    if (launch.kernel == PairKernel::pair_once) return once<Law, wanted, R>();
    if constexpr (wanted == Wanted::forces) {  // what is studied is the loop over forces; others are seldom run
      if (launch.unroll == 1) return from_both_sides<Law, wanted, R, 1>();
      if (launch.unroll == 2) return from_both_sides<Law, wanted, R, 2>();
      if (launch.unroll == 8) return from_both_sides<Law, wanted, R, 8>();
    }
    from_both_sides<Law, wanted, R, 4>();
  }
};

/// `per_lane` are the R that the precision's order knows.
template <class P, unsigned... per_lane, class... Law>
void start_pairs(LawList<Law...>, std::size_t law, Wanted wanted, const Call<P>& call) {
  const auto start = [&]<class One>() {
    const auto with = [&]<unsigned R>() {
      if (call.field.order.per_lane != R) return;
      if (wanted == Wanted::forces) return call.template start<One, Wanted::forces, R>();
      if (wanted == Wanted::potential) return call.template start<One, Wanted::potential, R>();
      if constexpr (sizeof(typename P::Number) == sizeof(double)) call.template start<One, Wanted::jerk, R>();
    };
    (with.template operator()<per_lane>(), ...);
  };
  std::size_t k = 0;
  ((k++ == law ? start.template operator()<typename Law::Interaction>() : void()), ...);
}

}  // namespace orrery::sim::cuda
