// SPDX-License-Identifier: MIT
// Pairs of up to 1024 bodies and the following update in one launch, since launches dominate such a step.
#pragma once

#include "sim/backends/cuda/fused_update.cuh"
#include "sim/backends/cuda/launch.cuh"
#include "sim/solvers/direct/cuda/precision.cuh"

namespace orrery::sim::cuda {

inline constexpr unsigned fused_warps = 8, fused_block = fused_warps * lanes;

/// All bodies, in rows of 32 and a gap, so that lanes in different rows read from different banks.
template <class P, Outputs outputs>
class Rows {
  static constexpr unsigned row = lanes + 1;

 public:
  __device__ __forceinline__ void put(unsigned j, const Body<P, outputs>& body) {
    tile_.put(j / lanes * row + j % lanes, body);
  }
  __device__ __forceinline__ Body<P, outputs> at(unsigned chunk, unsigned k) const { return tile_[chunk * row + k]; }

 private:
  SharedTile<P, outputs, max_fused / lanes * row> tile_;
};

/// One warp per body; each lane sums over a chunk of 32 bodies in the order of pair-once with R = 1. All bodies are
/// sources. The first lanes then carry out the update, one component each: no other thread reads what they write, since
/// positions in floats are double buffered. Branches would stall the other lanes; further unrolling was slower.
template <class P, class Law, Outputs outputs>
__global__ void __launch_bounds__(fused_block)
    fused(ParticleView<typename P::Number> f, const __grid_constant__ FusedUpdate update) {
  using Real = typename P::Real;
  constexpr unsigned sums = outputs_per_body(outputs);
  __shared__ Rows<P, outputs> bodies;
  __shared__ typename P::Number parts[fused_warps][sums][lanes];
  wait_for_previous_kernel();
  const unsigned lane = threadIdx.x % lanes, warp = threadIdx.x / lanes, i = blockIdx.x * fused_warps + warp;
  const auto n = static_cast<unsigned>(f.n), chunks = (n + lanes - 1) / lanes;
  FusedUpdateOfOne number(update, lane, i);
#pragma unroll 4
  for (unsigned j = threadIdx.x; j < chunks * lanes; j += fused_block)
    bodies.put(j, Body<P, outputs>::at(f, min(j, n - 1)));
  if (lane < sums && i < n) number.load();
  __syncthreads();
  let_next_kernel_start();
  if (i >= n) return;
  const unsigned mine = i / lanes, place = i % lanes;
  const Body<P, outputs> me = bodies.at(mine, place);
  const Law law(f.parameters);
  const Real softening2(f.softening2);
  for (unsigned c = lane; c < chunks; c += lanes) {
    const unsigned first = c == mine ? 0 : place, step = c < mine ? lanes - 1 : 1, myself = c == mine ? place : lanes;
    const unsigned met = min(n - c * lanes, lanes);
    Sums<Real, outputs> sum;
#pragma unroll 8
    for (unsigned t = 0; t < lanes; ++t) {
      const unsigned k = (first + step * t) % lanes;
      const Body<P, outputs> other = bodies.at(c, k);
      auto pair = pair_of<P, Law, outputs>(me, other, law, softening2);
      pair.mask([&](Real value) { return select(k < met && k != myself, value); });
      sum.add_to_i(pair, Real(other.w));
    }
    store(sum, &parts[warp][0][c], lanes);
  }
  __syncwarp();
  if (lane >= sums) return;
  double sum = 0;
#pragma unroll 8
  for (unsigned c = 0; c < chunks; ++c) sum = __dadd_rn(sum, static_cast<double>(parts[warp][lane][c]));
  number.settle(sum);
  if (lane >= 3) return;
  for (int k = 0; k < update.count; ++k) number.act(update.ops[k]);
  number.end();
}

}  // namespace orrery::sim::cuda
