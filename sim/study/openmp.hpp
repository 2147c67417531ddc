// SPDX-License-Identifier: MIT
// Textbook loops over all pairs, parallelised with OpenMP.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/study/work.hpp"

namespace orrery::sim::study {

struct OpenMpLoop {
  std::string_view name;
  /// Evaluations of gravity, G = 1, in double, with Plummer softening > 0.
  std::unique_ptr<Work> (*make)(const Bodies& bodies, double softening, int threads);
};

/// Empty in a build without OpenMP.
std::span<const OpenMpLoop> openmp_loops();

}  // namespace orrery::sim::study
