// SPDX-License-Identifier: MIT
// A thread a body, or several; others from a tile of shared memory, or from where they lie.
#include <algorithm>
#include <vector>

#include "sim/study/cuda/steps.cuh"
#include "sim/study/tiles.hpp"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;

/// Adds what body j does to a body at p: the approximate root, fused where a product is added.
__device__ __forceinline__ void meet(float4 p, float4 j, float softening2, float3& sum) {
  const float dx = j.x - p.x, dy = j.y - p.y, dz = j.z - p.z;
  const float r = rsqrtf(__fmaf_rn(dz, dz, __fmaf_rn(dy, dy, __fmaf_rn(dx, dx, softening2))));
  const float s = j.w * (r * r * r);
  sum.x = __fmaf_rn(s, dx, sum.x);
  sum.y = __fmaf_rn(s, dy, sum.y);
  sum.z = __fmaf_rn(s, dz, sum.z);
}

/// Bodies come in tiles as wide as the block; the last is filled with massless ones, or each pair asks.
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
      if (!bounds_check || begin + k < numbers.n) meet(own, tile[k], numbers.softening2, sum);
    }
    __syncthreads();
  }
  if (i < numbers.n) accelerations[i] = sum;
}

/// The same for a block size that the compiler does not know.
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
      if (!bounds_check || begin + k < numbers.n) meet(own, any_tile[k], numbers.softening2, sum);
    }
    __syncthreads();
  }
  if (i < numbers.n) accelerations[i] = sum;
}

/// No tile. Of each body `lanes` threads take every lanes-th of the others, and add their sums in a tree.
template <int unroll, int lanes>
__global__ void tileless_kernel(Numbers numbers, const float4* bodies, float3* accelerations) {
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t i = thread / lanes, lane = thread % lanes;
  const float4 own = i < numbers.n ? bodies[i] : float4{};
  float3 sum{};
#pragma unroll unroll
  for (std::size_t j = lane; j < numbers.n; j += lanes) meet(own, bodies[j], numbers.softening2, sum);
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

using TileKernel = void (*)(Numbers, const float4*, float3*);

/// A shape that was compiled.
struct Compiled {
  TileShape shape;
  TileKernel kernel;
};

template <unsigned block, int unroll, bool bounds = false>
void add_tile(std::vector<Compiled>& all) {
  all.push_back(
      {{.tiled = true, .unroll = unroll, .block = block, .bounds_check = bounds}, tile_kernel<block, unroll, bounds>});
}
template <int unroll, int lanes>
void add_tileless(std::vector<Compiled>& all) {
  for (const unsigned block : {32U, 64U, 128U, 256U, 512U, 1024U})
    all.push_back({{.tiled = false, .unroll = unroll, .block = block, .threads_per_body = lanes},
                   tileless_kernel<unroll, lanes>});
}
template <int... unrolls>
void add_unrolls(std::vector<Compiled>& all, std::integer_sequence<int, unrolls...>) {
  (add_tile<256, unrolls>(all), ...);
}
template <unsigned... blocks>
void add_blocks(std::vector<Compiled>& all, std::integer_sequence<unsigned, blocks...>) {
  (add_tile<blocks, 8>(all), ...);
}
template <int... lanes>
void add_lanes(std::vector<Compiled>& all, std::integer_sequence<int, lanes...>) {
  (add_tileless<8, lanes>(all), ...);
}

const std::vector<Compiled>& compiled() {
  static const std::vector<Compiled> list = [] {
    std::vector<Compiled> all;
    add_unrolls(all, std::integer_sequence<int, 1, 2, 4, 8, 16, 32>{});
    add_blocks(all, std::integer_sequence<unsigned, 16, 32, 64, 128, 512, 1024>{});
    add_tile<256, 8, true>(all);
    add_lanes(all, std::integer_sequence<int, 1, 2, 4, 8, 16, 32>{});
    for (const unsigned block : {16U, 32U, 64U, 128U, 256U, 512U, 1024U}) {
      for (const bool bounds : {false, true})
        all.push_back({{.tiled = true, .unroll = 1, .block = block, .bounds_check = bounds, .run_time = true},
                       bounds ? run_time_tile_kernel<true> : run_time_tile_kernel<false>});
    }
    return all;
  }();
  return list;
}

bool equal(const TileShape& a, const TileShape& b) {
  return a.tiled == b.tiled && a.unroll == b.unroll && a.block == b.block && a.bounds_check == b.bounds_check &&
         a.run_time == b.run_time && a.threads_per_body == b.threads_per_body;
}

class TileWork : public GpuWork {
 public:
  TileWork(const Compiled& compiled, const Bodies& bodies, const Setting& setting)
      : GpuWork(setting),
        shape_(compiled.shape),
        kernel_(compiled.kernel),
        numbers_(numbers_of(bodies.size(), setting)) {
    std::vector<float4> at;
    std::vector<float3> velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      at.push_back({static_cast<float>(bodies.position.x[i]), static_cast<float>(bodies.position.y[i]),
                    static_cast<float>(bodies.position.z[i]), static_cast<float>(bodies.mass[i])});
      velocity.push_back({static_cast<float>(bodies.velocity.x[i]), static_cast<float>(bodies.velocity.y[i]),
                          static_cast<float>(bodies.velocity.z[i])});
    }
    const std::size_t padded = std::size_t{blocks_for(bodies.size(), shape_.block)} * shape_.block;
    bodies_ = on_device(at, padded);
    velocities_ = on_device(velocity);
    accelerations_ = on_device(std::vector<float3>(bodies.size()));
  }

  Vectors accelerations() override {
    accelerate();
    Vectors all(numbers_.n);
    const auto host = on_host(accelerations_.get(), numbers_.n);
    for (std::size_t i = 0; i < numbers_.n; ++i) {
      all.x[i] = static_cast<double>(host[i].x);
      all.y[i] = static_cast<double>(host[i].y);
      all.z[i] = static_cast<double>(host[i].z);
    }
    return all;
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
  TileKernel kernel_;
  Numbers numbers_;
  DeviceArray<float4> bodies_;
  DeviceArray<float3> velocities_, accelerations_;
};

}  // namespace

std::unique_ptr<Work> make_tile(const TileShape& shape, const Bodies& bodies, const Setting& setting) {
  const auto found = std::ranges::find_if(compiled(), [&](const Compiled& one) { return equal(one.shape, shape); });
  if (found == compiled().end() || bodies.size() == 0) return nullptr;
  return std::make_unique<TileWork>(*found, bodies, setting);
}

}  // namespace orrery::sim::study
