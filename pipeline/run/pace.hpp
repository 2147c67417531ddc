// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace orrery::pipeline {

/// Adapts the number of steps per slice so that one takes about 50 ms. Signals are handled between slices.
class Pace {
 public:
  /// Returns the number of steps to take next, at most `remaining`. Measures the time since the last call.
  std::int64_t slice(std::int64_t remaining) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_call_).count();
    if (seconds > 0.1) {
      slice_ = std::max<std::int64_t>(1, slice_ / 2);
    } else if (seconds < 0.025 && slice_ < std::int64_t{1} << 40) {
      slice_ *= 2;
    }
    last_call_ = now;
    return std::min(slice_, remaining);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_call_ = Clock::now();
  std::int64_t slice_ = 1;
};

}  // namespace orrery::pipeline
