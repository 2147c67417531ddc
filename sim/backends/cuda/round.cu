// SPDX-License-Identifier: MIT
// A round over all numbers of the state between two evaluations of the forces, in one launch.
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/launch.cuh"

namespace orrery::sim::cuda {
namespace {

constexpr unsigned block = 64;

/// Σ over chunks in their order; loads of several chunks are on their way at once.
template <class Number>
__device__ __forceinline__ double sum_of_chunks(const Number* partial, std::size_t row, std::size_t chunks) {
  double sum = 0;
#pragma unroll 32
  for (std::size_t c = 0; c < chunks; ++c) sum = __dadd_rn(sum, static_cast<double>(partial[c * row]));
  return sum;
}

template <bool jerk>
__device__ __forceinline__ void add_partials(const Partials& p, std::size_t q, std::size_t i, std::size_t stride) {
  const std::size_t row = (jerk ? sums_of(Wanted::jerk) : sums_of(p.wanted)) * stride, at = q * stride + i;
  const double sum = p.single ? sum_of_chunks(static_cast<const float*>(p.values) + at, row, p.chunks)
                              : sum_of_chunks(static_cast<const double*>(p.values) + at, row, p.chunks);
  const double in_units = __dmul_rn(q < 3 ? p.unit : p.potential_unit, sum), s = p.response[i];
  double* to = q < 3 ? p.acceleration + at : p.potential + i;
  *to = p.first ? __dmul_rn(s, in_units) : __fma_rn(s, in_units, *to);
  if constexpr (jerk) {  // by the same thread, which goes on with this component of all columns
    const double change = sum_of_chunks(static_cast<const double*>(p.values) + 3 * stride + at, row, p.chunks);
    p.jerk[at] = p.first ? __dmul_rn(s, change) : __fma_rn(s, change, p.jerk[at]);
  }
}

/// Components x, y, z and, at blockIdx.y = 3, the potential, which takes part in the sums alone. Rounds without a jerk
/// have a kernel of their own: a step of few bodies is little else.
template <bool jerk>
__global__ void __launch_bounds__(block) round_kernel(const __grid_constant__ Round round) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x, q = blockIdx.y;
  wait_for_earlier();
  if (i >= round.n) return;
  if (q < 3) {  // on their way while sums are made; what is stored below is seen by this thread's later loads
    for (int k = 0; k < round.count; ++k) {
      asm volatile("prefetch.global.L1 [%0];" ::"l"(round.acts[k].column + q * round.stride + i));
    }
  }
  if (round.partials.values != nullptr) add_partials<jerk>(round.partials, q, i, round.stride);
  if (q == 3) return;
  const std::size_t at = q * round.stride + i;
  double sum = 0;
  for (int k = 0; k < round.count; ++k) {
    const auto [verb, column, factor] = round.acts[k];
    double* const number = column + at;
    switch (verb) {
      case Round::Act::Verb::copy:
        sum = *number;
        break;
      case Round::Act::Verb::multiply:
        sum = __dmul_rn(factor, *number);
        break;
      case Round::Act::Verb::add:
        sum = __fma_rn(factor, *number, sum);
        break;
      case Round::Act::Verb::store:
        *number = sum;
        break;
    }
  }
  if (round.position != nullptr) {
    const double x = round.scale * round.position[at];
    const auto high = static_cast<float>(x);
    round.high[at] = high;
    round.rest[at] = static_cast<float>(x - static_cast<double>(high));
  }
  let_next_come();  // at the end: blocks that came earlier would crowd where there is room first
}

}  // namespace

int kernels_present() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, round_kernel<false>);
}

bool kernels_overlap() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, round_kernel<false>), "looking for this program's kernels");
  return CUDART_VERSION >= 12030 && attributes.ptxVersion >= 90;
}

void carry_out(const Round& round, Stream stream) {
  const bool potential = round.partials.values != nullptr && round.partials.wanted == Wanted::potential;
  const dim3 grid(static_cast<unsigned>((round.n + block - 1) / block), potential ? 4 : 3);
  const bool jerk = round.partials.values != nullptr && round.partials.wanted == Wanted::jerk;
  launch_close_behind(jerk ? round_kernel<true> : round_kernel<false>, grid, block, stream, round);
}

}  // namespace orrery::sim::cuda
