// SPDX-License-Identifier: MIT
// Kernels of the ladder with float4, compiled twice: with denormal floats, and with denormals flushed to zero.
#pragma once

#include "sim/study/cuda/steps.cuh"

namespace orrery::sim::study {

enum class Root { divided, approximate };
enum class Product { plain, fused };

using PackedKernel = void (*)(Numbers, const float4*, float3*);

/// a·b + c
template <Product product>
__device__ __forceinline__ float times_plus(float a, float b, float c) {
  return product == Product::fused ? __fmaf_rn(a, b, c) : a * b + c;
}

/// Adds the acceleration of a body at p due to body j.
template <Root root, Product product>
__device__ __forceinline__ void attract(float4 p, float4 j, float softening2, float3& sum) {
  const float dx = j.x - p.x, dy = j.y - p.y, dz = j.z - p.z;
  const float r2 = times_plus<product>(dz, dz, times_plus<product>(dy, dy, times_plus<product>(dx, dx, softening2)));
  const float r = root == Root::approximate ? rsqrtf(r2) : 1 / sqrtf(r2);
  const float s = j.w * (r * r * r);
  sum.x = times_plus<product>(s, dx, sum.x);
  sum.y = times_plus<product>(s, dy, sum.y);
  sum.z = times_plus<product>(s, dz, sum.z);
}

/// Other bodies are read through shared memory, one block width at a time; `bodies` is padded with massless bodies to
/// whole blocks. `flushed` only gives the kernels that are compiled with --ftz=true names of their own.
template <Root root, Product product, int unroll, int bodies_a_thread = 1, bool flushed = false>
__global__ void __launch_bounds__(usual_block)
    packed_tiles_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  __shared__ float4 tile[usual_block];
  const std::size_t first = blockIdx.x * std::size_t{usual_block} * bodies_a_thread + threadIdx.x;
  float4 own[bodies_a_thread];
  float3 sum[bodies_a_thread] = {};
  for (int b = 0; b < bodies_a_thread; ++b)
    own[b] = first + b * usual_block < numbers.n ? bodies[first + b * usual_block] : float4{};
  for (std::size_t begin = 0; begin < numbers.n; begin += usual_block) {
    tile[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
#pragma unroll unroll
    for (unsigned k = 0; k < usual_block; ++k) {
#pragma unroll
      for (int b = 0; b < bodies_a_thread; ++b) attract<root, product>(own[b], tile[k], numbers.softening2, sum[b]);
    }
    __syncthreads();
  }
  for (int b = 0; b < bodies_a_thread; ++b) {
    if (first + b * usual_block < numbers.n) accelerations[first + b * usual_block] = sum[b];
  }
}

/// Compiled with --ftz=true.
extern const PackedKernel flushed_divided, flushed_approximate;

}  // namespace orrery::sim::study
