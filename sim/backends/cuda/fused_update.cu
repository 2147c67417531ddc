// SPDX-License-Identifier: MIT
#include "sim/backends/cuda/fused_update.cuh"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/launch.cuh"
#include "sim/backends/cuda/terms.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned update_block = 64;
/// Blocks per multiprocessor, which leaves 64 registers per thread: with 32 the loads of a sum would be serialised.
constexpr unsigned blocks_at_once = 16;

/// A separate kernel without jerks, since it takes most of the time of a step of few bodies.
template <bool jerk>
__global__ void __launch_bounds__(update_block, blocks_at_once)
    update_kernel(const __grid_constant__ FusedUpdate update) {
  const std::size_t i = blockIdx.x * std::size_t{update_block} + threadIdx.x, q = blockIdx.y;
  wait_for_previous_kernel();
  if (i >= update.n) return;
  FusedUpdateOfOne number(update, q, i);
  number.load();
  if (number.sums()) number.add_parts<jerk>();
  if (q == 3) return;
  for (int k = 0; k < update.count; ++k) number.act(update.ops[k]);
  number.end();
  // At the end: blocks that start earlier would be placed unevenly, on the multiprocessors that become free first.
  let_next_kernel_start();
}

/// Widens the extremes by the state. Called by one warp.
__device__ __forceinline__ void widen_by(const ObservedState& state, double* extremes) {
  constexpr unsigned lanes = 32, outputs[] = {1, 2, 6, 7, 8};
  static_assert(FusedUpdate::few == 2 * lanes);
  const unsigned lane = threadIdx.x;
  const Terms low = terms_of(state, lane), high = terms_of(state, lane + lanes);
  double sums[5];
#pragma unroll
  for (unsigned k = 0; k < 5; ++k) {
    sums[k] = __dadd_rn(low.of[outputs[k]], high.of[outputs[k]]);
#pragma unroll
    for (unsigned half = lanes / 2; half > 0; half /= 2)
      sums[k] = __dadd_rn(sums[k], __shfl_down_sync(~0U, sums[k], half));
    sums[k] = __shfl_sync(~0U, __dadd_rn(sums[k], 0.0), 0);  // as a tree of 256 terms gives it
  }
  const double energy = __dadd_rn(sums[0], sums[1]);
  widen(extremes, lane, lane == 0 ? energy : lane == 1 ? sums[2] : lane == 2 ? sums[3] : sums[4]);
}

/// The whole update in one block, if it widens the extremes.
template <bool jerk>
__global__ void __launch_bounds__(approach_block) update_few_kernel(const __grid_constant__ FusedUpdate update) {
  const std::size_t q = threadIdx.x / FusedUpdate::few, i = threadIdx.x % FusedUpdate::few;
  wait_for_previous_kernel();
  let_next_kernel_start();
  FusedUpdateOfOne number(update, q, i);
  if (i < update.n) {
    number.load();
    if (number.sums()) number.add_parts<jerk>();
  }
  const bool acts = i < update.n && q < 3;
  for (int k = 0; k < update.count; ++k) {
    if (update.ops[k].verb == FusedUpdate::Op::Verb::widen) {
      __syncthreads();  // all have stored their numbers, and nobody changes them before the end of widen_approach()
      const double least = min_square(update.state);
      if (threadIdx.x < 32) widen_by(update.state, update.extremes);
      widen_approach(update.state, least, update.extremes + approach_begin);
    } else if (acts) {
      number.act(update.ops[k]);
    }
  }
  if (acts) number.end();
}

}  // namespace

int kernels_present() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, update_kernel<false>);
}

bool kernels_overlap() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, update_kernel<false>), "looking for this program's kernels");
  return CUDART_VERSION >= 12030 && attributes.ptxVersion >= 90;
}

void carry_out(const FusedUpdate& update, StreamHandle stream) {
  const bool summed = update.partials.values != nullptr;
  const bool potential = summed && update.partials.outputs == Outputs::potential;
  const bool jerk = summed && update.partials.outputs == Outputs::jerk;
  if (update.extremes != nullptr) {
    launch_overlapping(jerk ? update_few_kernel<true> : update_few_kernel<false>, dim3(1), approach_block, stream,
                       update);
  } else {
    const dim3 grid(blocks_for(update.n, update_block), potential ? 4 : 3);
    launch_overlapping(jerk ? update_kernel<true> : update_kernel<false>, grid, update_block, stream, update);
  }
}

}  // namespace orrery::sim::cuda
