// SPDX-License-Identifier: MIT
// The optimisation ladder: minimal kernels, each of which adds one optimisation to the one before.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/study/work.hpp"

namespace orrery::sim::study {

/// Whole steps of symplectic Euler in float32; all pairs from both sides unless `idea` says otherwise.
struct Rung {
  std::string_view name, idea;
  double bytes_per_pair;  ///< that the source reads from memory, not counting caches
  std::unique_ptr<Work> (*make)(const Bodies& bodies, const Setting& setting);
  bool broken = false;  ///< has a data race, on purpose
};

/// In the order of the ladder; empty without CUDA.
std::span<const Rung> gpu_ladder();
/// Without the rungs that need AVX2 if the CPU lacks it.
std::span<const Rung> cpu_ladder();

}  // namespace orrery::sim::study
