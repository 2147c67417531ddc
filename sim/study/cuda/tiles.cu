// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "sim/study/cuda/rungs.cuh"
#include "sim/study/tiles.hpp"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;

/// Approximate root, fused multiply-adds.
__device__ __forceinline__ void add_pair(float4 p, float4 j, float softening2, float3& sum) {
  attract<Root::approximate, Product::fused>(p, j, softening2, sum);
}

/// Tiles as wide as the block; the last one is padded with massless bodies, or each pair checks its index.
template <unsigned block, int unroll, bool bounds_check>
__global__ void __launch_bounds__(block) tile_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  __shared__ float4 tile[block];
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x;
  const float4 own = bodies[i];
  float3 sum{};
  for (std::size_t begin = 0; begin < numbers.n; begin += block) {
    tile[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
#pragma unroll unroll
    for (unsigned k = 0; k < block; ++k) {
      if (!bounds_check || begin + k < numbers.n) add_pair(own, tile[k], numbers.softening2, sum);
    }
    __syncthreads();
  }
  if (i < numbers.n) accelerations[i] = sum;
}

/// The same with a block size of run time.
template <bool bounds_check>
__global__ void run_time_tile_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  extern __shared__ float4 any_tile[];
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const float4 own = bodies[i];
  float3 sum{};
  for (std::size_t begin = 0; begin < numbers.n; begin += blockDim.x) {
    any_tile[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (unsigned k = 0; k < blockDim.x; ++k) {
      if (!bounds_check || begin + k < numbers.n) add_pair(own, any_tile[k], numbers.softening2, sum);
    }
    __syncthreads();
  }
  if (i < numbers.n) accelerations[i] = sum;
}

/// No tile. `lanes` threads per body, of which each takes every lanes-th of the other bodies; their sums are added in a
/// tree.
template <int unroll, int lanes>
__global__ void untiled_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t i = thread / lanes, lane = thread % lanes;
  const float4 own = i < numbers.n ? bodies[i] : float4{};
  float3 sum{};
#pragma unroll unroll
  for (std::size_t j = lane; j < numbers.n; j += lanes) add_pair(own, bodies[j], numbers.softening2, sum);
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    sum.x += __shfl_xor_sync(~0U, sum.x, distance);
    sum.y += __shfl_xor_sync(~0U, sum.y, distance);
    sum.z += __shfl_xor_sync(~0U, sum.z, distance);
  }
  if (i < numbers.n && lane == 0) accelerations[i] = sum;
}

__global__ void move_kernel(Numbers numbers, const float3* accelerations, float3* velocities, float4* bodies) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= numbers.n) return;
  float3 v = velocities[i];
  v.x = __fmaf_rn(numbers.dt, accelerations[i].x, v.x);
  v.y = __fmaf_rn(numbers.dt, accelerations[i].y, v.y);
  v.z = __fmaf_rn(numbers.dt, accelerations[i].z, v.z);
  velocities[i] = v;
  bodies[i].x = __fmaf_rn(numbers.dt, v.x, bodies[i].x);
  bodies[i].y = __fmaf_rn(numbers.dt, v.y, bodies[i].y);
  bodies[i].z = __fmaf_rn(numbers.dt, v.z, bodies[i].z);
}

struct Compiled {
  TileShape shape;
  PackedKernel kernel;
};

template <unsigned block, int unroll, bool bounds = false>
Compiled tile() {
  return {{.tiled = true, .unroll = unroll, .block = block, .bounds_check = bounds},
          tile_kernel<block, unroll, bounds>};
}
template <int... lanes>
void add_untiled(std::vector<Compiled>& all) {
  for (const unsigned block : {32U, 64U, 128U, 256U, 512U, 1024U})
    (all.push_back(
         {{.tiled = false, .unroll = 8, .block = block, .threads_per_body = lanes}, untiled_kernel<8, lanes>}),
     ...);
}

const std::vector<Compiled>& compiled() {
  static const std::vector<Compiled> list = [] {
    std::vector<Compiled> all{tile<256, 1>(),  tile<256, 2>(),  tile<256, 4>(),      tile<256, 8>(), tile<256, 16>(),
                              tile<256, 32>(), tile<16, 8>(),   tile<32, 8>(),       tile<64, 8>(),  tile<128, 8>(),
                              tile<512, 8>(),  tile<1024, 8>(), tile<256, 8, true>()};
    add_untiled<1, 2, 4, 8, 16, 32>(all);
    for (const unsigned block : {16U, 32U, 64U, 128U, 256U, 512U, 1024U}) {
      for (const bool bounds : {false, true})
        all.push_back({{.tiled = true, .unroll = 1, .block = block, .bounds_check = bounds, .run_time = true},
                       bounds ? run_time_tile_kernel<true> : run_time_tile_kernel<false>});
    }
    return all;
  }();
  return list;
}

class TileWork : public GpuWork {
 public:
  TileWork(const Compiled& compiled, const Bodies& bodies, const Setting& setting)
      : GpuWork(setting),
        shape_(compiled.shape),
        kernel_(compiled.kernel),
        numbers_(numbers_of(bodies.size(), setting)) {
    const std::size_t padded = std::size_t{blocks_for(bodies.size(), shape_.block)} * shape_.block;
    bodies_ = on_device(float4s_of(bodies), padded);
    velocities_ = on_device(float3s_of(bodies.velocity));
    accelerations_ = on_device(std::vector<float3>(bodies.size()));
  }

  Vectors accelerations() override {
    accelerate();
    return vectors_of(on_host(accelerations_.get(), numbers_.n));
  }
  [[nodiscard]] KernelFacts facts() const override { return facts_of(kernel_, shape_.block, shared()); }

 protected:
  void step() override {
    accelerate();
    move_kernel<<<blocks_for(numbers_.n), usual_block, 0, stream()>>>(numbers_, accelerations_.get(), velocities_.get(),
                                                                      bodies_.get());
  }

 private:
  [[nodiscard]] std::size_t shared() const { return shape_.run_time ? shape_.block * sizeof(float4) : 0; }
  void accelerate() {
    const std::size_t threads = numbers_.n * static_cast<std::size_t>(shape_.threads_per_body);
    kernel_<<<blocks_for(threads, shape_.block), shape_.block, shared(), stream()>>>(numbers_, bodies_.get(),
                                                                                     accelerations_.get());
  }

  TileShape shape_;
  PackedKernel kernel_;
  Numbers numbers_;
  DeviceArray<float4> bodies_;
  DeviceArray<float3> velocities_, accelerations_;
};

}  // namespace

std::unique_ptr<Work> make_tile(const TileShape& shape, const Bodies& bodies, const Setting& setting) {
  const auto found = std::ranges::find(compiled(), shape, &Compiled::shape);
  if (found == compiled().end() || bodies.size() == 0) return nullptr;
  return std::make_unique<TileWork>(*found, bodies, setting);
}

}  // namespace orrery::sim::study
