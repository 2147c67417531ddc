// SPDX-License-Identifier: MIT
// Asynchronous readback of the state.
#pragma once

#include <span>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// One readback at a time: copied on the device, then by a stream of its own to pinned host memory.
class Readbacks {
 public:
  Readbacks(const Device& device, std::size_t n, std::size_t stride);

  /// Makes `stream` wait until the last readback is copied. To be called before the next one is prepared.
  void begin(const Stream& stream) { copied_.hold(stream); }
  /// Scratch memory and destination of observe().
  [[nodiscard]] double* scratch(int k) const { return scratch_[k].get(); }
  [[nodiscard]] double* sums() const { return sums_.get(); }

  /// Queues copies of the sums, of the extremes, which are then reset, and of columns of shape [3][stride].
  void write(std::span<const double* const> columns, double* extremes, Stream& stream);
  /// Waits for the readback. Throws Error if the device failed.
  [[nodiscard]] Backend::Readback read();
  /// Returns and resets the extremes, synchronously.
  [[nodiscard]] static Extremes take(double* extremes, Stream& stream);

 private:
  const Device& device_;
  std::size_t n_, stride_;
  DeviceArray<double> scratch_[2], sums_;  ///< sums_: the observables, then the extremes
  std::vector<DeviceArray<double>> columns_;
  std::vector<DeviceArray<double, Place::pinned>> copies_;
  DeviceArray<double, Place::pinned> sums_copy_;
  std::size_t count_ = 0;  ///< columns in the present readback
  Stream copying_;
  Event written_, copied_;
};

}  // namespace orrery::sim::cuda
