// SPDX-License-Identifier: MIT
// Compiled with -O2 in every build, so that the chain stays in registers.
#include "pipeline/measure/core_clock.hpp"

#include <algorithm>
#include <chrono>

namespace orrery::pipeline {

double core_clock() {
  using Clock = std::chrono::steady_clock;
  constexpr int tries = 10, rounds = 300'000, unrolled = 64;
  unsigned long sum = 1, more = 1;
  double least = 1e300;
  for (int k = 0; k < tries; ++k) {
    const auto begin = Clock::now();
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 64
      for (int step = 0; step < unrolled; ++step) {
        sum += more;
        asm volatile("" : "+r"(sum), "+r"(more));  // keeps the compiler from folding the additions
      }
    }
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return static_cast<double>(rounds) * unrolled / least;
}

}  // namespace orrery::pipeline
