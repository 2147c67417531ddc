// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <utility>

#include "common/error.hpp"
#include "render/point_cloud/gpu_light.hpp"

namespace orrery::render {
namespace {

using Sum = unsigned long long;        // two's complement: light is never negative, but a weight may be
constexpr float unit = 4294967296.0F;  // 2³²
constexpr unsigned block = 256, warp = 32;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // clears it
  throw Error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Memory that grows; its contents are lost when it does.
template <class T, cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*)>
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { (void)release(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get(std::size_t count) {
    if (count > count_) {
      (void)release(std::exchange(data_, nullptr));
      count_ = 0;
      void* data = nullptr;
      check(allocate(&data, count * sizeof(T)), "memory for the light of point clouds");
      data_ = static_cast<T*>(data);
      count_ = count;
    }
    return data_;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};
template <class T>
using DeviceBuffer = Buffer<T, cudaMalloc, cudaFree>;
template <class T>
using PinnedBuffer = Buffer<T, cudaMallocHost, cudaFreeHost>;

/// Each warp adds 32 splats, one after another. Its lanes are the four channels of eight pixels, which are neighbours in
/// memory: atomic additions to the same sector are executed together.
__global__ void add_splats(const Splat* splats, std::size_t count, const float* weights, int reach, const float* colors,
                           float gain, int width, int height, Sum* sums) {
  const unsigned lane = threadIdx.x % warp, channel = lane % 4;
  const std::size_t first = (static_cast<std::size_t>(blockIdx.x) * block + threadIdx.x) / warp * warp;
  const int side = 2 * reach + 1;
  for (std::size_t i = first; i < count && i < first + warp; ++i) {
    const Splat s = splats[i];
    if (s.weight == 0) continue;
    const float light = gain * s.weight * colors[4 * s.color + channel] * unit;
    const float *across = weights + s.x_part * side, *down = weights + s.y_part * side;
    for (int k = static_cast<int>(lane / 4); k < side * side; k += static_cast<int>(warp / 4)) {
      const int v = k / side, u = k - v * side, x = s.x - reach + u, y = s.y - reach + v;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      Sum* to =
          sums + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
      atomicAdd(to + channel, static_cast<Sum>(__float2ll_rn(light * down[v] * across[u])));
    }
  }
}

/// Threads (x, y) are pixels; a warp is a piece of a row.
__global__ void to_texels(const Sum* sums, int width, int height, Texel* texels, std::uint8_t* lit) {
  const unsigned x = blockIdx.x * warp + threadIdx.x, y = blockIdx.y * (block / warp) + threadIdx.y;
  const bool inside = x < static_cast<unsigned>(width) && y < static_cast<unsigned>(height);
  const auto value = [](Sum sum) { return static_cast<float>(static_cast<long long>(sum)) * (1 / unit); };
  Texel texel;
  if (inside) {
    const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x;
    const Sum* from = sums + 4 * i;
    texel = {value(from[0]), value(from[1]), value(from[2]), value(from[3])};
    texels[i] = texel;
  }
  const bool any = __any_sync(~0U, texel.amount != 0);
  if (threadIdx.x == 0 && y < static_cast<unsigned>(height)) lit[y * gridDim.x + blockIdx.x] = any ? 1 : 0;
}

}  // namespace

struct GpuLight::Memory {
  int device;
  std::size_t count = 0;
  PinnedBuffer<Splat> given;
  DeviceBuffer<Splat> splats;
  DeviceBuffer<float> weights, colors;
  DeviceBuffer<Sum> sums;
  DeviceBuffer<Texel> texels;
  PinnedBuffer<Texel> result;
  DeviceBuffer<std::uint8_t> lit;
};

int GpuLight::count() {
  int count = 0;
  const bool any = cudaGetDeviceCount(&count) == cudaSuccess;
  (void)cudaGetLastError();
  return any ? count : 0;
}

GpuLight::GpuLight(int device) {
  if (device < 0 || device >= count()) throw Error("there is no GPU " + std::to_string(device));
  check(cudaSetDevice(device), "choosing the GPU");
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, add_splats), "looking for this program's kernels");
  memory_ = std::make_unique<Memory>();
  memory_->device = device;
}
GpuLight::~GpuLight() {
  if (memory_) (void)cudaSetDevice(memory_->device);
}

std::span<Splat> GpuLight::splats(std::size_t count) {
  check(cudaSetDevice(memory_->device), "choosing the GPU");
  memory_->count = count;
  return {memory_->given.get(count), count};
}

Texel* GpuLight::add(const Profile& profile, std::span<const Texel> colors, float gain, int width, int height,
                     std::uint8_t* lit) {
  Memory& m = *memory_;
  check(cudaSetDevice(m.device), "choosing the GPU");
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const dim3 grid((static_cast<unsigned>(width) + warp - 1) / warp,
                  (static_cast<unsigned>(height) + block / warp - 1) / (block / warp));
  const std::size_t pieces = static_cast<std::size_t>(grid.x) * static_cast<std::size_t>(height);
  const auto copied = [](auto& to, const auto* from, std::size_t count) {
    auto* data = to.get(count);
    check(cudaMemcpyAsync(data, from, count * sizeof *data, cudaMemcpyHostToDevice), "copying bodies to the GPU");
    return data;
  };
  const Splat* splats = copied(m.splats, m.given.get(m.count), m.count);
  const float* weights = copied(m.weights, profile.weights.data(), profile.weights.size());
  const float* palette = copied(m.colors, &colors.data()->red, 4 * colors.size());
  Sum* sums = m.sums.get(4 * pixels);
  check(cudaMemsetAsync(sums, 0, 4 * pixels * sizeof(Sum)), "clearing the light");
  const auto blocks = static_cast<unsigned>((m.count + block - 1) / block);
  if (blocks > 0)
    add_splats<<<blocks, block>>>(splats, m.count, weights, profile.reach, palette, gain, width, height, sums);
  to_texels<<<grid, dim3(warp, block / warp)>>>(sums, width, height, m.texels.get(pixels), m.lit.get(pieces));
  check(cudaGetLastError(), "adding light on the GPU");
  Texel* result = m.result.get(pixels);
  check(cudaMemcpyAsync(result, m.texels.get(pixels), pixels * sizeof(Texel), cudaMemcpyDeviceToHost),
        "copying light from the GPU");
  check(cudaMemcpy(lit, m.lit.get(pieces), pieces, cudaMemcpyDeviceToHost), "copying light from the GPU");
  check(cudaDeviceSynchronize(), "adding light on the GPU");
  return result;
}

}  // namespace orrery::render
