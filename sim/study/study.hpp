// SPDX-License-Identifier: MIT
// Kernels that no run uses, kept to be timed against those of the engine.
#pragma once

#include <span>

#include "sim/solver.hpp"

namespace orrery::sim::study {

/// Where a thread finds the other bodies: in shared memory, to which its block brings a tile at a time, or where they lie.
enum class Others { tiled, direct };

struct Shape {
  Others others;
  int unroll;      ///< of the loop over others: 1, 2, 4 or 8
  unsigned block;  ///< threads: 32, 64, …, 512
};

/// All pairs, each from both sides: one thread a body and chunk. Gravity alone, in float64 and float32, in the order of pairs
/// that the engine has for many bodies: for as many, and always in float64, the bits are the engine's.
struct OneSided {
  Shape shape;
  /// For System::solver. Where more than forces is wanted the engine's kernels give it. Two bodies at one place, not softened,
  /// are no numbers here even if both are massless.
  ForceSolver solver;
};

/// All of them.
std::span<const OneSided> one_sided();

}  // namespace orrery::sim::study
