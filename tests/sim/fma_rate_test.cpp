// SPDX-License-Identifier: MIT
// The loops of fused multiply-adds execute the counted operations on every SIMD target.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/columns.hpp"

namespace orrery::sim::testing {
namespace {

/// x ← 0.999·x + 0.001 converges to 1 in every lane of every chain, and has not converged after a few rounds.
TEST(FmaRate, EveryChainRunsEveryIteration) {
  for (const simd::Target target : simd::available_targets()) {
    const simd::ColumnKernels& kernels = simd::column_kernels(target);
    for (const auto& chains : {kernels.fma_in_double, kernels.fma_in_float}) {
      const auto count = static_cast<double>(chains.each_round);
      EXPECT_NEAR(chains.run(20'000), count, 1e-3 * count);
      // Chain k starts with k + lane, so the sum is chains · Σ lane + lanes · Σ k, and its distance from 1 shrinks.
      const double start = chains.run(0);
      EXPECT_GT(start, 2 * count);
      EXPECT_NEAR(chains.run(7) - count, std::pow(0.999, 7) * (start - count), 1e-4 * start);
    }
  }
}

TEST(FmaRate, IsPlausible) {
  const std::size_t targets = simd::available_targets().size();
  const double best = cpu_fma_rate({.threads = 1}, 0), plain = cpu_fma_rate({.threads = 1}, targets - 1);
  EXPECT_GT(plain, 1e6);
  EXPECT_LT(best, 1e12);
  EXPECT_TRUE(targets == 1 || best > plain) << best << ", " << plain;
}

}  // namespace
}  // namespace orrery::sim::testing
