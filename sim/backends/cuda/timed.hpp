// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

/// Times the 4th, the 8th, the 16th evaluation and so on by the GPU's clock: each waits for the host, so few are timed.
class TimedEvaluations {
 public:
  explicit TimedEvaluations(const Device& device) : begun_(device, true), ended_(device, true) {}

  /// Returns the seconds of the evaluation before, if it was timed; then waits for it.
  std::optional<double> next() {
    const bool was_timed = std::exchange(is_timed_, ++evaluations_ >= 4 && std::has_single_bit(evaluations_));
    if (!was_timed) return {};
    return ended_.seconds_since(begun_);
  }
  void begin(const Stream& stream) {
    if (is_timed_) begun_.record(stream);
  }
  void end(const Stream& stream) {
    if (is_timed_) ended_.record(stream);
  }

 private:
  Event begun_, ended_;
  std::uint64_t evaluations_ = 0;
  bool is_timed_ = false;
};

}  // namespace orrery::sim::cuda
