// SPDX-License-Identifier: MIT
// Measures the peak rates of the processor: fused multiply-adds and copies in memory.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/columns.hpp"

namespace orrery::sim {
namespace {

constexpr int tries = 7;

/// Seconds for task(0) … task(tasks − 1) on the pool.
template <class Task>
double time(ThreadPool& pool, std::size_t tasks, const Task& task) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  pool.for_each(0, tasks, task);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

double cpu_fma_rate(const BackendOptions& options, std::size_t target) {
  constexpr double long_enough = 0.01;  // s
  const simd::ColumnKernels& loops = simd::column_kernels(simd::available_targets()[target]);
  const simd::FmaChains& chains = options.precision == Precision::float64 ? loops.fma_in_double : loops.fma_in_float;
  ThreadPool pool(options.threads);
  std::vector<double> sums(static_cast<std::size_t>(options.threads));
  std::size_t rounds = 1024;
  const auto measure = [&] {
    const double took = time(pool, sums.size(), [&](std::size_t k) { sums[k] = chains.run(rounds); });
    return std::ranges::min(sums) < 0 ? 0 : took;  // sums are positive; reading them keeps the loops
  };
  double least = measure();
  while (least < long_enough) {
    rounds *= 2;
    least = measure();
  }
  for (int k = 0; k < tries; ++k) least = std::min(least, measure());
  const double each_thread = static_cast<double>(rounds) * static_cast<double>(chains.each_round);
  return each_thread * static_cast<double>(options.threads) / least;
}

double cpu_copy_rate(int threads) {
  constexpr std::size_t part = std::size_t{1} << 19, parts = 64, numbers = part * parts;  // of 4 MiB; 256 MiB in all
  ThreadPool pool(threads);
  // Uninitialised, so that each page is allocated near the thread that writes it first.
  const auto from = std::make_unique_for_overwrite<double[]>(numbers),
             to = std::make_unique_for_overwrite<double[]>(numbers);
  pool.for_each(0, parts, [&](std::size_t k) {
    std::fill_n(from.get() + k * part, part, 1.0);
    std::fill_n(to.get() + k * part, part, 0.0);
  });
  const auto copy = [&](std::size_t k) { std::copy_n(from.get() + k * part, part, to.get() + k * part); };
  double least = time(pool, parts, copy);
  for (int k = 0; k < tries; ++k) least = std::min(least, time(pool, parts, copy));
  return 2.0 * sizeof(double) * static_cast<double>(numbers) / least;
}

}  // namespace orrery::sim
