// SPDX-License-Identifier: MIT
// The optimisation ladder: kernels and loops as short as their ideas, each against the one before.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/bodies.hpp"
#include "sim/study/setting.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

/// Whole steps of symplectic Euler in float32, all pairs from both sides unless its idea says otherwise.
struct Rung {
  std::string_view name, idea;
  double bytes_per_pair;  ///< that the source asks of memory, whatever caches save
  std::unique_ptr<Work> (*make)(const Bodies& bodies, const Setting& setting);
  bool broken = false;  ///< it races, to be shown
};

/// In the order of the ladder; empty without CUDA.
std::span<const Rung> gpu_ladder();
/// What needs AVX2 is left out where there is none.
std::span<const Rung> cpu_ladder();

}  // namespace orrery::sim::study
