// SPDX-License-Identifier: MIT
// Each pair from both sides, for few bodies: a block shares the pairs of 32 bodies with one chunk among its warps.
//
// j's share of a pair is what i would have been given, with i and j exchanged: every operation is odd or even in the
// difference of positions. What has an order is the sums alone: so pairs are worked out by all warps, and then a warp each adds
// what they come to for one component, in the order in which its body would have met the others in pair-once.
#pragma once

#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned sharing_warps = 8, sharing_block = sharing_warps * lanes;

/// What pairs of 32 bodies come to in so many steps: sum q of a body takes Σ value[q] · factor.
template <class P, Wanted wanted, unsigned steps>
struct PairsInSteps {
  using Number = typename P::Number;
  static constexpr unsigned others = wanted == Wanted::forces ? 1 : steps;
  Number value[sums_of(wanted)][steps][lanes];
  Number weighted[steps][lanes];  ///< w·c, the factor of accelerations
  Number weight[others][lanes];   ///< w, that of potentials and jerks

  template <class Pair, class Real>
  __device__ __forceinline__ void put(unsigned step, unsigned lane, const Pair& pair, Real w) {
    value[0][step][lane] = pair.d.x.value;
    value[1][step][lane] = pair.d.y.value;
    value[2][step][lane] = pair.d.z.value;
    weighted[step][lane] = (w * pair.c).value;
    if constexpr (wanted == Wanted::forces) return;
    weight[step % others][lane] = w.value;
    if constexpr (wanted == Wanted::potential) value[3][step][lane] = pair.u.value;
    if constexpr (wanted == Wanted::jerk) {
      value[3][step][lane] = pair.change.x.value;
      value[4][step][lane] = pair.change.y.value;
      value[5][step][lane] = pair.change.z.value;
    }
  }
  __device__ __forceinline__ void put_nothing(unsigned step, unsigned lane) {
    for (unsigned q = 0; q < sums_of(wanted); ++q) value[q][step][lane] = 0;
    weighted[step][lane] = 0;
    weight[step % others][lane] = 0;
  }
};

/// Bodies 32·blockIdx.x … + 31 and chunk `first` + blockIdx.y.
template <class P, class Law, Wanted wanted, unsigned R>
__global__ void __launch_bounds__(sharing_block)
    tiled(Field<typename P::Number> f, Slots<typename P::Number> slots, unsigned first) {
  using Real = typename P::Real;
  constexpr unsigned steps = 16;  // between two sums
  __shared__ PairsInSteps<P, wanted, steps> pairs;
  wait_for_earlier();
  let_next_come();
  const unsigned lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const std::size_t i = blockIdx.x * std::size_t{lanes} + lane, c = first + blockIdx.y;
  const std::size_t mine = blockIdx.x * std::size_t{lanes} / f.order.chunk;
  const auto begin = static_cast<unsigned>(c * f.order.chunk);
  const auto bodies = static_cast<unsigned>(min(f.order.chunk, f.n - begin));
  const Body<P, wanted> me = Body<P, wanted>::at(f, i < f.n ? i : f.n - 1);
  /// Which body of the chunk the step-th one is that I meet.
  const auto met = [&](unsigned step) {
    if (c == mine) return step;
    if (c > mine) return step / lanes * lanes + (lane + step) % lanes;
    const unsigned k = step % (lanes * R);
    return step - k + lanes * (k % R) + (lane - k / R) % lanes;
  };
  const bool adds = warp < sums_of(wanted);
  Real sum(0.0);                       // of one component since the last tile or span
  Real by_tiles(0.0);                  // of a chunk before mine
  typename P::ChunkSum by_spans(0.0);  // of mine and of those behind it
  const unsigned last = (bodies + lanes - 1) / lanes * lanes;
  for (unsigned begun = 0; begun < last; begun += steps) {
#pragma unroll
    for (unsigned k = 0; k < steps / sharing_warps; ++k) {
      const unsigned step = warp + k * sharing_warps, j = met(begun + step);
      const Body<P, wanted> other = Body<P, wanted>::at(f, begin + min(j, bodies - 1));
      if (j < bodies && begin + j != i && other.w != 0) {
        pairs.put(step, lane, pair_of<P, Law, wanted>(me, other, f), Real(other.w));
      } else {
        pairs.put_nothing(step, lane);
      }
    }
    __syncthreads();
    if (adds) {
#pragma unroll
      for (unsigned step = 0; step < steps; ++step) {
        const auto factor = warp < 3 ? pairs.weighted[step][lane] : pairs.weight[step % pairs.others][lane];
        sum = fma(Real(pairs.value[warp][step][lane]), Real(factor), sum);
      }
      const unsigned next = begun + steps;
      if (c < mine && next % (lanes * R) == 0) {
        by_tiles = by_tiles + sum;
        sum = Real(0.0);
      } else if (c >= mine && P::span != 0 && (next % (P::span + (P::span == 0)) == 0 || next >= last)) {
        by_spans = by_spans + typename P::ChunkSum(sum.value);
        sum = Real(0.0);
      }
    }
    __syncthreads();
  }
  if (!adds || i >= f.n) return;
  using Number = typename P::Number;
  Number* to = slots.of(mine, c, sums_of(wanted)) + warp * slots.row + i % f.order.chunk;
  *to = c < mine       ? static_cast<Number>(by_tiles.value)
        : P::span == 0 ? static_cast<Number>(sum.value)
                       : static_cast<Number>(by_spans.value);
}

}  // namespace orrery::sim::cuda
