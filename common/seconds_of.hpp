// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace orrery {

/// Seconds on the clock that work() takes.
template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace orrery
