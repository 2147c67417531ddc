// SPDX-License-Identifier: MIT
// The decisions of a short-range program, one a rung: the course's repulsive particles in a box with walls, in double.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sim/bodies.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

/// The problem's numbers (docs/boxes.md, short-range-box).
struct Course {
  static constexpr double area = 0.0005, mass = 0.01, cutoff = 0.01, least_r = cutoff / 100, dt = 0.0005;
  static double size(std::size_t n) { return std::sqrt(area * static_cast<double>(n)); }
};

struct ShortRangeRung {
  std::string_view name, idea;  ///< what changed against the rung before
  bool on_gpu;
  std::size_t most_bodies;  ///< beyond it would take too long: it is O(n²)
  /// Bodies in the plane, as the initial state short-range-box places them; a number of a GPU or of threads.
  std::unique_ptr<Work> (*make)(const Bodies& bodies, int device_or_threads);
};

/// Those of the processor and, with CUDA, those of a GPU.
std::span<const ShortRangeRung> short_range_on_cpu();
std::span<const ShortRangeRung> short_range_on_gpu();

/// What a step of sorted particles in bins of `width` cutoffs touches, in bytes: positions and velocities read and written twice (the
/// sort and the step), ids, and counts and starts of bins, read and written.
inline double working_set_bytes(std::size_t n, double width = 2) {
  const double bins = Course::size(n) * Course::size(n) / (width * width * Course::cutoff * Course::cutoff);
  return static_cast<double>(n) * (2 * 2 * 4 * 8 + 4 * 4) + bins * 4 * 4;
}

}  // namespace orrery::sim::study
