// SPDX-License-Identifier: MIT
// How many steps to take at a time, so that signals and progress are never kept waiting.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace orrery::pipeline {

/// Cuts a long way into slices of about a twentieth of a second.
class Pace {
 public:
  std::int64_t slice(std::int64_t steps_to_go) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - since_).count();
    if (seconds > 0.1) {
      slice_ = std::max<std::int64_t>(1, slice_ / 2);
    } else if (seconds < 0.025 && slice_ < std::int64_t{1} << 40) {
      slice_ *= 2;
    }
    since_ = now;
    return std::min(slice_, steps_to_go);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
  std::int64_t slice_ = 1;
};

}  // namespace orrery::pipeline
