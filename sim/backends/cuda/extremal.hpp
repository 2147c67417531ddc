// SPDX-License-Identifier: MIT
// Maximum components and extents of columns: sim/greatest.hpp on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/backends/cuda/device.hpp"
#include "sim/greatest.hpp"

namespace orrery::sim::cuda {

struct Extremal {
  Greatest greatest;
  double half_extent = 0;
};

/// Takes one launch, one copy and one wait for up to `most` columns.
class Extremals {
 public:
  static constexpr std::size_t most = 8;

  Extremals(const Device& device, std::size_t n, std::size_t stride);

  /// Reduces columns of shape [3][stride] after the work queued on `stream`. Throws Error if the device failed.
  [[nodiscard]] std::vector<Extremal> of(std::span<const double* const> columns, Stream& stream);

  /// Of some bodies along one axis: the maximum |x|, infinity for NaN, its first body, and the range.
  struct Part {
    double size;
    std::uint64_t body;
    double low, high;
  };

 private:
  std::size_t n_, stride_;
  unsigned parts_;  ///< blocks per coordinate of a column
  DeviceArray<Part> found_;
  DeviceArray<Part, Place::pinned> copy_;
};

}  // namespace orrery::sim::cuda
