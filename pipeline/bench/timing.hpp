// SPDX-License-Identifier: MIT
// Repeated measurements of the same work, and the two numbers that are said of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace orrery::pipeline {

/// Several repetitions of so many steps each.
struct Timing {
  double median = 0;  ///< s a step
  double least = 0;
  double greatest = 0;
  int repetitions = 0;
  std::int64_t steps = 0;  ///< in each repetition

  /// (greatest − least) / median
  [[nodiscard]] double spread() const { return (greatest - least) / median; }
};

/// `seconds`: what each repetition of `steps` steps took; at least one.
Timing summary(std::vector<double> seconds, std::int64_t steps);

/// How often, and how long each time at least.
struct Patience {
  int repetitions = 7;
  double seconds = 0.05;
};

/// Warms up until a repetition is long enough, then measures. `take(n)` does n steps and returns the seconds that it
/// took; `stop()` is asked before each repetition, and where it says so there are fewer of them, perhaps none.
Timing measure(const std::function<double(std::int64_t)>& take, const std::function<bool()>& stop,
               const Patience& patience = {});

}  // namespace orrery::pipeline
