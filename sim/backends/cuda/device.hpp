// SPDX-License-Identifier: MIT
// A GPU and arrays of doubles on it; CUDA's runtime is seen in this folder alone.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace orrery::sim::cuda {

/// One GPU, made current for the calling thread.
class Device {
 public:
  /// Throws Error where there is no such device or it cannot be used.
  explicit Device(int index);
  /// "NVIDIA H200 (sm_90)"
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Empty where a device can be used; else why not, and what to do.
  static std::string absence();

 private:
  std::string name_;
};

/// An array on the device, zero at first. Throws Error where memory is short, saying how much was asked for.
class Array {
 public:
  explicit Array(std::size_t n);
  explicit Array(const std::vector<double>& values);
  ~Array();
  Array(Array&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }

  [[nodiscard]] double* get() { return data_; }
  [[nodiscard]] const double* get() const { return data_; }

 private:
  double* data_ = nullptr;
};

/// Writes n zeros.
void clear(double* device, std::size_t n);

/// Copies n doubles to and from the device; throw Error where work on it has failed.
void copy_in(double* device, const double* host, std::size_t n);
void copy_out(double* host, const double* device, std::size_t n);

/// Throws Error with CUDA's own words where `status`, a cudaError_t, is not success.
void check(int status, const char* what);

}  // namespace orrery::sim::cuda
