// SPDX-License-Identifier: MIT
// Helpers of the GPU kernels of studies: memory, launches, times and kernel resources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/backends/cuda/device.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

constexpr unsigned usual_block = 256;

inline unsigned blocks_for(std::size_t threads, unsigned block = usual_block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

/// Parameters of all kernels.
struct Numbers {
  std::size_t n;
  float softening2, dt;
};

inline Numbers numbers_of(std::size_t n, const Setting& setting) {
  return {n, static_cast<float>(setting.softening * setting.softening), static_cast<float>(setting.dt)};
}

/// `block`: threads per block; `shared`: bytes of dynamic shared memory.
template <class Kernel>
KernelFacts facts_of(Kernel kernel, unsigned block, std::size_t shared = 0) {
  cudaFuncAttributes attributes{};
  int blocks = 0, device = 0, threads = 0;
  cuda::check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel's registers");
  cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block), shared),
              "asking for occupancy");
  cuda::check(cudaGetDevice(&device), "asking which device this is");
  cuda::check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
              "asking for its threads");
  return {.registers = attributes.numRegs, .occupancy = static_cast<double>(blocks) * block / threads};
}

/// Position and mass of each body.
inline std::vector<float4> float4s_of(const Bodies& bodies) {
  const Vectors& x = bodies.position;
  std::vector<float4> all;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    all.push_back({static_cast<float>(x.x[i]), static_cast<float>(x.y[i]), static_cast<float>(x.z[i]),
                   static_cast<float>(bodies.mass[i])});
  return all;
}
inline std::vector<float3> float3s_of(const Vectors& from) {
  std::vector<float3> all;
  for (std::size_t i = 0; i < from.size(); ++i)
    all.push_back({static_cast<float>(from.x[i]), static_cast<float>(from.y[i]), static_cast<float>(from.z[i])});
  return all;
}
inline Vectors vectors_of(const std::vector<float3>& from) {
  Vectors all(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    all.x[i] = static_cast<double>(from[i].x);
    all.y[i] = static_cast<double>(from[i].y);
    all.z[i] = static_cast<double>(from[i].z);
  }
  return all;
}

/// Enqueues steps on a stream of its own and waits for them.
class GpuWork : public Work {
 public:
  explicit GpuWork(const Setting& setting) : device_(setting.device), stream_(device_) {}

  double take(std::int64_t times) override {
    stream_.wait();
    return seconds_of(1, [&] {
      for (std::int64_t k = 0; k < times; ++k) step();
      cuda::check(cudaGetLastError(), "starting a step");
      stream_.wait();
    });
  }

 protected:
  virtual void step() = 0;
  [[nodiscard]] CUstream_st* stream() const { return stream_.get().stream; }

  /// Returns a copy on the device with room for max(capacity, host.size()) elements; the rest are zeros.
  template <class T>
  cuda::DeviceArray<T> on_device(const std::vector<T>& host, std::size_t capacity = 0) {
    cuda::DeviceArray<T> array(device_, std::max(capacity, host.size()));
    stream_.copy_in(array.get(), host.data(), host.size() * sizeof(T));
    stream_.wait();
    return array;
  }
  template <class T>
  std::vector<T> on_host(const T* array, std::size_t n) {
    std::vector<T> host(n);
    stream_.copy_out(host.data(), array, n * sizeof(T));
    stream_.wait();
    return host;
  }

  cuda::Device device_;
  cuda::Stream stream_;
};

}  // namespace orrery::sim::study
