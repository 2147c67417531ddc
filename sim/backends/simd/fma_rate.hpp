// SPDX-License-Identifier: MIT
// Fused multiply-adds in registers and nothing else: what a SIMD target could do at most, to compare the pair loops
// with.
//
// fma_rate.cpp is compiled once for each target.
#pragma once

#include <cstddef>

#include "sim/backends/simd/targets.hpp"

namespace orrery::sim::simd {

/// Independent chains x ← a·x + b, in one number type.
struct FmaChains {
  std::size_t each_round;  ///< fused multiply-adds in a round: chains × lanes
  /// So many rounds. Returns a number that depends on all of them, so that no compiler can leave any out.
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
