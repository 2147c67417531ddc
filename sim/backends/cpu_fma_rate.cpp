// SPDX-License-Identifier: MIT
// How many fused multiply-adds a second the processor does at most: all threads in registers, the best of several
// tries.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/fma_rate.hpp"

namespace orrery::sim {
namespace {

/// Seconds until the last of the threads has done its rounds.
double time(const simd::FmaChains& chains, ThreadPool& pool, std::vector<double>& sums, std::size_t rounds) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  pool.for_each(0, sums.size(), [&](std::size_t k) { sums[k] = chains.run(rounds); });
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  return std::ranges::min(sums) < 0 ? 0 : took;  // they never are; but now somebody wants the sums
}

}  // namespace

double cpu_fma_rate(const BackendOptions& options, std::size_t target) {
  constexpr double long_enough = 0.01;  // s
  constexpr int tries = 7;
  const simd::FmaLoops& loops = simd::fma_loops(simd::available_targets()[target]);
  const simd::FmaChains& chains = options.precision == Precision::float64 ? loops.in_double : loops.in_float;
  ThreadPool pool(options.threads);
  std::vector<double> sums(static_cast<std::size_t>(options.threads));
  std::size_t rounds = 1024;
  double least = time(chains, pool, sums, rounds);
  while (least < long_enough) least = time(chains, pool, sums, rounds *= 2);
  for (int k = 0; k < tries; ++k) least = std::min(least, time(chains, pool, sums, rounds));
  const double each_thread = static_cast<double>(rounds) * static_cast<double>(chains.each_round);
  return each_thread * static_cast<double>(options.threads) / least;
}

}  // namespace orrery::sim
