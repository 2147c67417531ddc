// SPDX-License-Identifier: MIT
// Textbook loops over pairs, shared among threads by OpenMP.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/bodies.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

struct OpenMpLoop {
  std::string_view name, idea;
  /// Evaluations of gravity, G = 1, in double, with Plummer softening > 0, on so many threads.
  std::unique_ptr<Work> (*make)(const Bodies& bodies, double softening, int threads);
};

/// Empty in a build without OpenMP.
std::span<const OpenMpLoop> openmp_loops();

}  // namespace orrery::sim::study
