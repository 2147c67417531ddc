// SPDX-License-Identifier: MIT
// What a heat bath does to velocities in a step: friction, and noise that is a function of step and body alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// One step of a bath. Who goes on from a snapshot, on whatever backend, draws its noise again.
struct HeatBath {
  double kept = 1;          ///< of a velocity
  double spread = 0;        ///< of what comes in its place for a body of mass 1: √(T (1 − kept²))
  std::uint64_t noise = 0;  ///< which sequence of numbers
  std::int64_t step = 0;    ///< of the run
};

/// 1/√m of each body, 0 where it has no mass: noise has no scale for those.
std::vector<double> mobilities(std::span<const double> masses);

/// v ← kept·v + spread·mobility·ξ with ξ normal of variance 1; in a plane x and y alone.
void thermalise(Vectors& velocity, std::span<const double> mobility, bool plane, const HeatBath& bath);

}  // namespace orrery::sim
