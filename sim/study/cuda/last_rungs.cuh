// SPDX-License-Identifier: MIT
// The last rungs: each pair once, and a kernel with a data race.
#pragma once

#include "sim/study/cuda/rungs.cuh"

namespace orrery::sim::study {

constexpr int rows = 4;  ///< bodies per lane of `pair_once_kernel`

/// A warp holds 32 × `rows` bodies i and rotates 32 bodies j through its lanes: after 32 turns all of these pairs are
/// summed, and each j is back in its lane with its reaction. Tiles form a ring; each interacts with the half of the
/// ring ahead of it, and the opposite tile with the lower of the two only. `n` is a multiple of 32 × rows, padded with
/// massless bodies. `accelerations` must be 0 initially.
__global__ void __launch_bounds__(128) pair_once_kernel(Numbers numbers, const float4* bodies, float* accelerations) {
  constexpr int width = 32 * rows;
  const int tiles = static_cast<int>(numbers.n / width), lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  const int own_tile = warp % tiles, share = warp / tiles,
            shares = static_cast<int>(gridDim.x * blockDim.x / 32) / tiles;
  if (share >= shares) return;
  float4 own[rows];
  float3 sum[rows] = {};
  for (int b = 0; b < rows; ++b) own[b] = bodies[own_tile * width + b * 32 + lane];
  const auto add = [&](int body, float3 a) {
    atomicAdd(&accelerations[3 * body], a.x);
    atomicAdd(&accelerations[3 * body + 1], a.y);
    atomicAdd(&accelerations[3 * body + 2], a.z);
  };
  for (int ahead = share; 2 * ahead <= tiles; ahead += shares) {
    const int other_tile = (own_tile + ahead) % tiles;
    if (2 * ahead == tiles && own_tile > other_tile) continue;
    for (int part = 0; part < rows; ++part) {
      const int j = other_tile * width + part * 32 + lane;
      float4 other = bodies[j];
      float3 reaction{};
      for (int turn = 0; turn < 32; ++turn) {
#pragma unroll
        for (int b = 0; b < rows; ++b) {
          const float dx = other.x - own[b].x, dy = other.y - own[b].y, dz = other.z - own[b].z;
          const float r = rsqrtf(__fmaf_rn(dz, dz, __fmaf_rn(dy, dy, __fmaf_rn(dx, dx, numbers.softening2))));
          const float c = r * r * r, si = c * other.w, sj = ahead == 0 ? 0 : c * own[b].w;
          sum[b].x = __fmaf_rn(si, dx, sum[b].x);
          sum[b].y = __fmaf_rn(si, dy, sum[b].y);
          sum[b].z = __fmaf_rn(si, dz, sum[b].z);
          reaction.x = __fmaf_rn(-sj, dx, reaction.x);
          reaction.y = __fmaf_rn(-sj, dy, reaction.y);
          reaction.z = __fmaf_rn(-sj, dz, reaction.z);
        }
        const int next = (lane + 1) % 32;
        for (float* value : {&other.x, &other.y, &other.z, &other.w, &reaction.x, &reaction.y, &reaction.z})
          *value = __shfl_sync(~0U, *value, next);
      }
      if (ahead != 0) add(j, reaction);
    }
  }
  for (int b = 0; b < rows; ++b) add(own_tile * width + b * 32 + lane, sum[b]);
}

/// The last rung as a student report printed it: every thread fills the whole tile and there are no barriers, so warps
/// that are ahead write the next tile while others still read this one.
__global__ void __launch_bounds__(usual_block)
    racing_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  __shared__ volatile float tile[4][usual_block];
  const std::size_t i = blockIdx.x * std::size_t{usual_block} + threadIdx.x;
  const float4 own = bodies[i];
  float3 sum{};
  for (std::size_t begin = 0; begin < numbers.n; begin += usual_block) {
    for (unsigned k = 0; k < usual_block; ++k) {
      const float4 other = bodies[begin + k];
      tile[0][k] = other.x;
      tile[1][k] = other.y;
      tile[2][k] = other.z;
      tile[3][k] = other.w;
    }
    for (unsigned k = 0; k < usual_block; ++k)
      attract<Root::approximate, Product::plain>(own, {tile[0][k], tile[1][k], tile[2][k], tile[3][k]},
                                                 numbers.softening2, sum);
  }
  if (i < numbers.n) accelerations[i] = sum;
}

}  // namespace orrery::sim::study
