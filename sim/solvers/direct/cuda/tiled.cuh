// SPDX-License-Identifier: MIT
// Each pair from both sides, for few bodies: the warps of a block share the pairs of 32 bodies with one chunk.
//
// As in one_sided.cuh only the order of sums matters: several warps compute pairs, and another warp adds their results
// in the order of pair-once.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned working_warps = 8, sharing_block = (working_warps + 1) * lanes;

/// Results of pairs of 32 bodies in `steps` steps: sum q is increased by value[q] times its factor.
template <class P, Outputs outputs>
struct PairsInSteps {
  using Number = typename P::Number;
  static constexpr unsigned steps = outputs == Outputs::forces ? 16 : 8;
  static constexpr bool has_weights = outputs != Outputs::forces;
  Number value[outputs_per_body(outputs)][steps][lanes];
  Number weighted[steps][lanes];                  ///< w·c, the factor of accelerations
  Number weight[has_weights ? steps : 1][lanes];  ///< w, the factor of potentials and jerks

  __device__ __forceinline__ void put(unsigned step, unsigned lane, Pair<typename P::Real, outputs> pair,
                                      typename P::Real w, bool met) {
    using Real = typename P::Real;
    // Zero if the pair does not count, since 0 · ∞ would be NaN.
    pair.mask([&](Real one) { return select(met, one); });
    value[0][step][lane] = pair.d.x.value;
    value[1][step][lane] = pair.d.y.value;
    value[2][step][lane] = pair.d.z.value;
    weighted[step][lane] = (w * pair.c).value;
    if constexpr (has_weights) weight[step][lane] = w.value;
    if constexpr (outputs == Outputs::potential) value[3][step][lane] = pair.u.value;
    if constexpr (outputs == Outputs::jerk) {
      value[3][step][lane] = pair.change.x.value;
      value[4][step][lane] = pair.change.y.value;
      value[5][step][lane] = pair.change.z.value;
    }
  }
  __device__ __forceinline__ void add_to(Sums<typename P::Real, outputs>& sums, unsigned step, unsigned lane) const {
    using Real = typename P::Real;
    const Real s(weighted[step][lane]);
    sums.each([&](std::size_t q, Real& sum) {
      sum = fma(Real(value[q][step][lane]), q < 3 ? s : Real(weight[has_weights ? step : 0][lane]), sum);
    });
  }
};

/// A barrier of the whole block that warps reach from different places, which __syncthreads() does not allow.
__device__ __forceinline__ void meet_other_warps() {
  asm volatile("barrier.sync 1, %0;" ::"n"(sharing_block) : "memory");
}

/// Block (x, y): bodies 32x … 32x + 31 and part y of the band. While eight warps compute the pairs of some steps, the
/// last warp adds up the previous steps.
template <class P, class Law, Outputs outputs, unsigned R>
__global__ void __launch_bounds__(sharing_block)
    tiled(ParticleView<typename P::Number> f, Slots<typename P::Number> slots) {
  static_assert(P::span == 0, "float64 only: one sum over the whole chunk");
  using Real = typename P::Real;
  using Steps = PairsInSteps<P, outputs>;
  constexpr unsigned steps = Steps::steps, each = steps / working_warps;
  __shared__ Steps pairs[2];
  wait_for_previous_kernel();
  let_next_kernel_start();
  const unsigned lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const std::size_t i = blockIdx.x * std::size_t{lanes} + lane, c = slots.band.first_part + blockIdx.y;
  const std::size_t mine = blockIdx.x * std::size_t{lanes} / f.order.chunk;
  const auto begin = static_cast<unsigned>(c * f.order.chunk);
  const auto bodies = static_cast<unsigned>(min(f.order.chunk, f.n - begin));
  const unsigned last = (bodies + lanes - 1) / lanes * lanes;  // steps
  if (warp < working_warps) {
    // Returns the body of the chunk in this step.
    const auto met = [&](unsigned step) {
      if (c == mine) return step;
      if (c > mine) return step / lanes * lanes + (lane + step) % lanes;
      const unsigned k = step % (lanes * R);
      return step - k + lanes * (k % R) + (lane - k / R) % lanes;
    };
    const auto load = [&](unsigned j) { return Body<P, outputs>::at(f, begin + min(j, bodies - 1)); };
    const Body<P, outputs> me = Body<P, outputs>::at(f, i < f.n ? i : f.n - 1);
    Body<P, outputs> others[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) others[k] = load(met(warp + k * working_warps));
    for (unsigned begun = 0; begun < last; begun += steps) {
      Body<P, outputs> next[each];  // loaded meanwhile
#pragma unroll
      for (unsigned k = 0; k < each; ++k) next[k] = load(met(begun + steps + warp + k * working_warps));
#pragma unroll
      for (unsigned k = 0; k < each; ++k) {
        const unsigned step = warp + k * working_warps, j = met(begun + step);
        pairs[begun / steps % 2].put(step, lane, pair_of<P, Law, outputs>(me, others[k], f), Real(others[k].w),
                                     j < bodies && begin + j != i && others[k].w != 0);
        others[k] = next[k];
      }
      meet_other_warps();
    }
    return;
  }
  FromOneChunk<P, outputs> all;
  for (unsigned begun = 0; begun < last; begun += steps) {
    meet_other_warps();
#pragma unroll
    for (unsigned step = 0; step < steps; ++step) pairs[begun / steps % 2].add_to(all.sum, step, lane);
    const unsigned next = begun + steps;
    if (c < mine && next % (lanes * R) == 0) all.end_tile();
  }
  if (i >= f.n) return;
  typename P::Number* to = slots.of(mine, c, outputs_per_body(outputs)) + i % f.order.chunk;
  all.store_to(to, slots.row, c < mine);
}

}  // namespace orrery::sim::cuda
