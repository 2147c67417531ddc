// SPDX-License-Identifier: MIT
// How fast the memory of the processor is: all threads copy parts of arrays that caches do not hold, the best of
// several tries.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>

#include "common/thread_pool.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::sim {

double cpu_copy_rate(int threads) {
  using std::chrono::steady_clock;
  constexpr std::size_t part = std::size_t{1} << 19, parts = 64, numbers = part * parts;  // of 4 MiB; 256 MiB in all
  constexpr int tries = 7;
  ThreadPool pool(threads);
  // Whose memory is nobody's yet: each page comes to be where the thread is that writes it first.
  const auto from = std::make_unique_for_overwrite<double[]>(numbers),
             to = std::make_unique_for_overwrite<double[]>(numbers);
  pool.for_each(0, parts, [&](std::size_t k) {
    std::fill_n(from.get() + k * part, part, 1.0);
    std::fill_n(to.get() + k * part, part, 0.0);
  });
  const auto time = [&] {
    const auto begin = steady_clock::now();
    pool.for_each(0, parts, [&](std::size_t k) { std::copy_n(from.get() + k * part, part, to.get() + k * part); });
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  };
  double least = time();
  for (int k = 0; k < tries; ++k) least = std::min(least, time());
  return 2.0 * sizeof(double) * static_cast<double>(numbers) / least;
}

}  // namespace orrery::sim
