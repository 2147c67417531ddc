// SPDX-License-Identifier: MIT
#include "sim/study/peak.hpp"

#include <algorithm>

#include "sim/study/cuda/steps.cuh"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;

constexpr int turns = 512, chains = 4;
constexpr std::size_t many_bytes = std::size_t{1} << 28;  ///< larger than any cache

enum class RootKind { approximate, exact };

/// Independent chains x ← 1/√x, which tend to 1.
template <RootKind inverse, class Real>
__global__ void roots_kernel(Real* out) {
  Real x[chains];
  for (int c = 0; c < chains; ++c) x[c] = static_cast<Real>(threadIdx.x + c + 1);
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int c = 0; c < chains; ++c) {
      if constexpr (inverse == RootKind::approximate) {
        x[c] = rsqrt(x[c]);
      } else {
        x[c] = 1 / sqrt(x[c]);
      }
    }
  }
  Real sum = 0;
  for (int c = 0; c < chains; ++c) sum += x[c];
  if (sum < 0) *out = sum;  // never true; keeps the compiler from removing the loop
}

/// Each thread reads 16 bytes at a time; neighbouring threads read neighbouring addresses.
__global__ void shared_kernel(float* out) {
  __shared__ float4 tile[1024];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) tile[k] = {1, 2, 3, 4};
  __syncthreads();
  float4 sum{};
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      const float4 one = tile[(threadIdx.x + 32 * k + static_cast<unsigned>(turn)) & 1023U];
      sum.x += one.x;
      sum.y += one.y;
      sum.z += one.z;
      sum.w += one.w;
    }
  }
  if (sum.x + sum.y + sum.z + sum.w < 0) *out = sum.x;
}

__global__ void read_kernel(const float4* from, std::size_t n, float* out) {
  float4 sum{};
  for (std::size_t k = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; k < n;
       k += std::size_t{gridDim.x} * blockDim.x) {
    const float4 one = from[k];
    sum.x += one.x;
    sum.y += one.y;
    sum.z += one.z;
    sum.w += one.w;
  }
  if (sum.x + sum.y + sum.z + sum.w < 0) *out = sum.x;
}

/// Seconds of one launch: the minimum of 7 tries of 8 launches.
template <class Start>
double seconds_of(cuda::Stream& stream, const Start& start) {
  double least = 1e9;
  for (int k = 0; k < 7; ++k) {
    stream.wait();
    const double seconds = study::seconds_of(1, [&] {
      for (int again = 0; again < 8; ++again) start();
      cuda::check(cudaGetLastError(), "starting a loop");
      stream.wait();
    });
    least = std::min(least, seconds / 8);
  }
  return least;
}

}  // namespace

GpuPeaks gpu_peaks(int index) {
  const cuda::Device device(index);
  cuda::Stream stream(device);
  int multiprocessors = 0;
  cuda::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, index), "counting its units");
  const DeviceArray<float4> memory(device, many_bytes / sizeof(float4));
  const DeviceArray<double> out(device, 1);
  const unsigned blocks = static_cast<unsigned>(multiprocessors) * 8, block = 256;
  CUstream_st* const raw = stream.get().stream;
  const double threads = static_cast<double>(blocks) * block;
  const double roots = threads * turns * chains, shared = threads * turns * 8 * sizeof(float4);
  auto* const floats = reinterpret_cast<float*>(out.get());
  GpuPeaks peaks;
  peaks.roots =
      roots / seconds_of(stream, [&] { roots_kernel<RootKind::approximate><<<blocks, block, 0, raw>>>(floats); });
  peaks.exact_roots =
      roots / seconds_of(stream, [&] { roots_kernel<RootKind::exact><<<blocks, block, 0, raw>>>(floats); });
  peaks.double_roots =
      roots / seconds_of(stream, [&] { roots_kernel<RootKind::exact><<<blocks, block, 0, raw>>>(out.get()); });
  peaks.shared_bytes = shared / seconds_of(stream, [&] { shared_kernel<<<blocks, block, 0, raw>>>(floats); });
  peaks.fill_bytes =
      static_cast<double>(many_bytes) / seconds_of(stream, [&] { stream.clear(memory.get(), many_bytes); });
  peaks.read_bytes = static_cast<double>(many_bytes) / seconds_of(stream, [&] {
                       read_kernel<<<blocks, block, 0, raw>>>(memory.get(), many_bytes / sizeof(float4), floats);
                     });
  return peaks;
}

}  // namespace orrery::sim::study
