// SPDX-License-Identifier: MIT
// Peak rate of fused multiply-adds in registers on each SIMD target, for comparison with pair loops.
#pragma once

#include <cstddef>

#include "sim/backends/simd/targets.hpp"

namespace orrery::sim::simd {

/// Independent chains x ← a·x + b, in one number type.
struct FmaChains {
  std::size_t each_round;  ///< fused multiply-adds per round: chains × lanes
  /// Runs `rounds` rounds. The result depends on all of them, so that no compiler can omit any.
  double (*run)(std::size_t rounds);
};

struct FmaLoops {
  FmaChains in_double, in_float;
};

const FmaLoops& fma_loops(Target target);
const FmaLoops& fma_loops(target::avx512);
const FmaLoops& fma_loops(target::avx2);
const FmaLoops& fma_loops(target::neon);
const FmaLoops& fma_loops(target::generic);

}  // namespace orrery::sim::simd
