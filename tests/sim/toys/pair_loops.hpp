// SPDX-License-Identifier: MIT
// The loops over pairs for the toy law, compiled as a separate SIMD target.
#pragma once

#include "sim/solvers/direct/simd/pairs.hpp"

namespace orrery::sim::simd {

namespace target {
struct toy_loops {};
}  // namespace target

const PairLoops& pair_loops(target::toy_loops);

}  // namespace orrery::sim::simd
