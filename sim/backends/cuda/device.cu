// SPDX-License-Identifier: MIT
// CUDA's runtime: devices, memory, and errors as one line that says what to do.
#include "sim/backends/cuda/device.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "common/error.hpp"
#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

std::string advice(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return "no NVIDIA GPU is to be seen here; backend.kind = \"cpu\" gives the same bits";
    case cudaErrorInsufficientDriver: {
      int driver = 0;  // 0: there is none
      const bool is_there = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
      return std::string(is_there ? "the NVIDIA driver is older than this program's CUDA: update it"
                                  : "there is no NVIDIA driver here") +
             "; backend.kind = \"cpu\" gives the same bits";
    }
    case cudaErrorMemoryAllocation:
      return "the GPU's memory is full: take fewer bodies, another GPU with --device, or backend.kind = "
             "\"cpu\"";
    case cudaErrorNoKernelImageForDevice:
      return "this program was not built for this GPU: configure with -DCMAKE_CUDA_ARCHITECTURES=native";
    case cudaErrorDevicesUnavailable:
      return "another program holds the GPU; take another with --device";
    default:
      return "the GPU failed or was lost; `nvidia-smi` may know more";
  }
}

}  // namespace

void check(int status, const char* what) {
  const auto error = static_cast<cudaError_t>(status);
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // or the next start of a kernel would be blamed for it
  throw Error(std::string("cuda: ") + what + ": " + cudaGetErrorString(error) + ": " + advice(error));
}

Device::Device(int index) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "looking for GPUs");
  if (index >= count) {
    throw Error("cuda: there is no device " + std::to_string(index) + ": this machine shows " + std::to_string(count) +
                    ", counted from 0 (CUDA_VISIBLE_DEVICES may hide some)",
                2);
  }
  check(cudaSetDevice(index), "taking the GPU");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "asking the GPU what it is");
  check(kernels_present(), "looking for this program's kernels");
  name_ = std::string(properties.name) + " (sm_" + std::to_string(properties.major) + std::to_string(properties.minor) +
          ")";
}

std::string Device::absence() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return "";
  return "the cuda backend cannot be used: " + advice(error == cudaSuccess ? cudaErrorNoDevice : error);
}

Array::Array(std::size_t n) {
  const std::string what = "taking " + std::to_string(n * sizeof(double) >> 20) + " MiB";
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(n, 1) * sizeof(double)), what.c_str());
  data_ = static_cast<double*>(memory);
  clear(data_, n);
}

Array::Array(const std::vector<double>& values) : Array(values.size()) {
  copy_in(data_, values.data(), values.size());
}

Array::~Array() {
  cudaFree(data_);
}

void clear(double* device, std::size_t n) {
  check(cudaMemset(device, 0, n * sizeof(double)), "clearing memory");
}

void copy_in(double* device, const double* host, std::size_t n) {
  check(cudaMemcpy(device, host, n * sizeof(double), cudaMemcpyHostToDevice), "copying to the GPU");
}

void copy_out(double* host, const double* device, std::size_t n) {
  check(cudaMemcpy(host, device, n * sizeof(double), cudaMemcpyDeviceToHost), "copying from the GPU");
}

}  // namespace orrery::sim::cuda
