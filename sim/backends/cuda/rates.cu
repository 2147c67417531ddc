// SPDX-License-Identifier: MIT
#include "sim/backends/cuda/rates.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {
namespace {

constexpr int chains_block = 256, blocks_each = 8;  // 2048 threads per multiprocessor, the maximum
constexpr int chains = 8, unroll = 16;
constexpr int tries = 7;

__device__ __forceinline__ double fused(double a, double x, double b) {
  return __fma_rn(a, x, b);
}
__device__ __forceinline__ float fused(float a, float x, float b) {
  return __fmaf_rn(a, x, b);
}

/// Independent chains x ← a·x + b in registers.
template <class T>
__global__ void __launch_bounds__(chains_block) chains_kernel(T a, T b, int rounds, T* result) {
  T x[chains];
  for (int k = 0; k < chains; ++k) x[k] = static_cast<T>(threadIdx.x + k);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < unroll; ++step) {
#pragma unroll
      for (int k = 0; k < chains; ++k) x[k] = fused(a, x[k], b);
    }
  }
  T sum = 0;
  for (int k = 0; k < chains; ++k) sum += x[k];
  if (sum < 0) *result = sum;  // never true, but the compiler cannot know
}

/// Times work on the default stream by two events.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&begin_), "making an event");
    check(cudaEventCreate(&end_), "making an event");
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// Returns the seconds that the device takes for what `work` launches.
  template <class Work>
  double time(const Work& work) {
    check(cudaEventRecord(begin_), "marking the time");
    work();
    check(cudaGetLastError(), "starting the chains");
    check(cudaEventRecord(end_), "marking the time");
    check(cudaEventSynchronize(end_), "waiting for the GPU");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading the time");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t begin_{}, end_{};
};

template <class T>
double measure(const Device& device, int multiprocessors) {
  constexpr double long_enough = 0.02;  // s
  DeviceArray<T> result(device, 1);
  Stopwatch stopwatch;
  const int blocks = multiprocessors * blocks_each;
  const auto time = [&](int rounds) {
    return stopwatch.time(
        [&] { chains_kernel<T><<<blocks, chains_block>>>(T(0.999), T(0.001), rounds, result.get()); });
  };
  int rounds = 64;
  double least = time(rounds);
  while (least < long_enough && rounds < (1 << 28)) least = time(rounds *= 2);
  for (int k = 0; k < tries; ++k) least = std::min(least, time(rounds));
  return static_cast<double>(blocks) * chains_block * chains * unroll * rounds / least;
}

}  // namespace

double fma_rate(int index, bool in_double) {
  const Device device(index);
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, index), "querying the GPU");
  return in_double ? measure<double>(device, multiprocessors) : measure<float>(device, multiprocessors);
}

double copy_rate(int index) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t bytes = std::size_t{1} << 29;  // larger than the caches of any GPU
  constexpr int copies = 16;                           // enough to make launching and waiting negligible
  const Device device(index);
  const DeviceArray<std::byte> from(device, bytes), to(device, bytes);
  Stream stream(device);
  const auto time = [&] {
    stream.wait();
    const auto begin = Clock::now();
    for (int k = 0; k < copies; ++k) stream.copy(to.get(), from.get(), bytes);
    stream.wait();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double least = time();
  for (int k = 0; k < tries; ++k) least = std::min(least, time());
  return 2.0 * copies * static_cast<double>(bytes) / least;
}

DeviceFacts facts(int index) {
  const Device device(index);
  DeviceFacts facts{.name = device.name()};
  constexpr const char* querying = "querying the GPU";
  int kilohertz = 0;
  char bus_id[32] = "";
  check(cudaDeviceGetAttribute(&facts.multiprocessors, cudaDevAttrMultiProcessorCount, index), querying);
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index), querying);
  check(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, index), querying);
  facts.clock = 1e3 * kilohertz;
  facts.bus_id = bus_id;
  cudaDeviceProp limits;
  check(cudaGetDeviceProperties(&limits, index), querying);
  const auto add = [&](const char* name, std::size_t number, const char* unit) {
    facts.limits.emplace_back(name, std::to_string(number) + unit);
  };
  add("memory of the GPU", limits.totalGlobalMem >> 20, " MiB");
  add("width of its bus", static_cast<std::size_t>(limits.memoryBusWidth), " bit");
  add("second-level cache", static_cast<std::size_t>(limits.l2CacheSize) >> 10, " KiB");
  add("shared memory of a multiprocessor", limits.sharedMemPerMultiprocessor >> 10, " KiB");
  add("registers of a multiprocessor", static_cast<std::size_t>(limits.regsPerMultiprocessor), "");
  add("threads of a multiprocessor", static_cast<std::size_t>(limits.maxThreadsPerMultiProcessor), "");
  add("threads of a block", static_cast<std::size_t>(limits.maxThreadsPerBlock), "");
  return facts;
}

}  // namespace orrery::sim::cuda
