// SPDX-License-Identifier: MIT
// What columns come to whatever the order of their bodies: sim/greatest.hpp on the device.
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

/// One launch, one copy and one wait for up to `most` columns.
class Extremals {
 public:
  static constexpr std::size_t most = 8;

  Extremals(const Device& device, std::size_t n, std::size_t stride);

  /// Of columns in the bodies' order, [3][stride] each, as `stream` will have made them. Throws Error where the device has
  /// failed.
  [[nodiscard]] std::vector<Extremal> of(std::span<const double* const> columns, Stream& stream);

  /// Of some bodies along one axis: the greatest absolute value, infinity for what is not a number, the first body that has
  /// it, and the ends of what they span.
  struct Part {
    double size;
    std::uint64_t body;
    double low, high;
  };

 private:
  std::size_t n_, stride_;
  unsigned parts_;  ///< blocks that share a coordinate of a column
  DeviceArray<Part> found_;
  DeviceArray<Part, Place::pinned> copy_;
};

}  // namespace orrery::sim::cuda
