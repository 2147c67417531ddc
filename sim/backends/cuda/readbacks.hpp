// SPDX-License-Identifier: MIT
// A look at the state that comes to the host while the device goes on.
#pragma once

#include <span>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// One note at a time: written on the device, copied by a queue of its own to pinned memory, read there.
class Readbacks {
 public:
  Readbacks(const Device& device, std::size_t n, std::size_t stride);

  /// Makes `stream` wait until the last note is copied: to be called before anything of the next is made.
  void begin(const Stream& stream) { copied_.hold(stream); }
  /// For observe(): its scratch memory, and where its sums go.
  [[nodiscard]] double* scratch(int k) const { return scratch_[k].get(); }
  [[nodiscard]] double* sums() const { return sums_.get(); }

  /// Takes down the sums, the extremes, which begin anew, and these columns, [3][stride] each, as `stream` will have made them.
  void write(std::span<const double* const> columns, double* extremes, Stream& stream);
  /// Waits until the note is here. Throws Error where the device has failed.
  [[nodiscard]] Backend::Readback read();
  /// The extremes alone, at once.
  [[nodiscard]] static Extremes take(double* extremes, Stream& stream);

 private:
  const Device& device_;
  std::size_t n_, stride_;
  DeviceArray<double> scratch_[2], sums_;  ///< sums_: the observables, then the extremes
  std::vector<DeviceArray<double>> columns_;
  std::vector<DeviceArray<double, Place::pinned>> copies_;
  DeviceArray<double, Place::pinned> sums_copy_;
  std::size_t count_ = 0;  ///< of columns in the present note
  Stream copying_;
  Event written_, copied_;
};

}  // namespace orrery::sim::cuda
