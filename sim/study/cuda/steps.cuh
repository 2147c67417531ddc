// SPDX-License-Identifier: MIT
// What the kernels of studies share: floats on the device, launches, times and facts.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "sim/backends/cuda/device.hpp"
#include "sim/study/setting.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

constexpr unsigned usual_block = 256;

inline unsigned blocks_for(std::size_t threads, unsigned block = usual_block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

/// Numbers that all kernels take.
struct Numbers {
  std::size_t n;
  float softening2, dt;
};

inline Numbers numbers_of(std::size_t n, const Setting& setting) {
  return {n, static_cast<float>(setting.softening * setting.softening), static_cast<float>(setting.dt)};
}

/// Of a kernel in blocks of so many threads, with so much dynamic shared memory.
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
  return {.registers = attributes.numRegs,
          .spilled_bytes = static_cast<int>(attributes.localSizeBytes),
          .shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shared),
          .occupancy = static_cast<double>(blocks) * block / threads};
}

/// A work that queues steps and waits for them.
class GpuWork : public Work {
 public:
  explicit GpuWork(const Setting& setting) : device_(setting.device), stream_(device_) {}

  double take(std::int64_t times) override {
    stream_.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t k = 0; k < times; ++k) step();
    cuda::check(cudaGetLastError(), "starting a step");
    stream_.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 protected:
  virtual void step() = 0;
  [[nodiscard]] CUstream_st* stream() const { return stream_.get().stream; }

  /// A copy on the device, with room for `capacity` if that is more; the rest are zeros.
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
