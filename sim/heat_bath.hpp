// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// Friction and noise of one step. The noise depends on `noise`, `step` and the index of the body alone, so that a
/// resumed run draws the same numbers.
struct HeatBath {
  double kept = 1;          ///< factor of the old velocity
  double spread = 0;        ///< standard deviation of the noise for a body of mass 1: √(T (1 − kept²))
  std::uint64_t noise = 0;  ///< seed
  std::int64_t step = 0;    ///< number of the step in the run
};

/// 1/√m of each body; 0 for bodies without mass, which get no noise.
std::vector<double> mobilities(std::span<const double> masses);

/// v ← kept·v + spread·mobility·ξ with normal ξ of variance 1; if `plane`, for x and y only. Four words of Philox per
/// body and step.
void thermalise(Vectors& velocity, std::span<const double> mobility, bool plane, const HeatBath& bath);

}  // namespace orrery::sim
