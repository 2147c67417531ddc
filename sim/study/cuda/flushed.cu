// SPDX-License-Identifier: MIT
// The tiles again, in a source that is compiled with --ftz=true: floats below 2⁻¹²⁶ are zero.
#include "sim/study/cuda/rungs.cuh"

namespace orrery::sim::study {

/// A type of its own gives these kernels other names than those without the option.
template <Root root>
__global__ void __launch_bounds__(usual_block)
    flushed_tiles_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  __shared__ float4 tile[usual_block];
  const std::size_t i = blockIdx.x * std::size_t{usual_block} + threadIdx.x;
  const float4 own = bodies[i];
  float3 sum{};
  for (std::size_t begin = 0; begin < numbers.n; begin += usual_block) {
    tile[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (unsigned k = 0; k < usual_block; ++k) attract<root, Product::plain>(own, tile[k], numbers.softening2, sum);
    __syncthreads();
  }
  if (i < numbers.n) accelerations[i] = sum;
}

const PackedKernel flushed_divided = flushed_tiles_kernel<Root::divided>;
const PackedKernel flushed_approximate = flushed_tiles_kernel<Root::approximate>;

}  // namespace orrery::sim::study
