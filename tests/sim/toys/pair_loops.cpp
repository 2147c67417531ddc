// SPDX-License-Identifier: MIT
// The cpu pair loops for the toy law only, compiled for the generic target.
#include "tests/sim/toys/pair_loops.hpp"
#include "sim/forces/list.hpp"
#include "tests/sim/toys/yukawa.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {

/// Found by name lookup before the program's list, so that the loops are compiled for this law.
using Laws = LawList<testing::Yukawa>;

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

#include "sim/solvers/direct/simd/pairs.cpp"  // NOLINT(bugprone-suspicious-include): compiled once more
