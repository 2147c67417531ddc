// SPDX-License-Identifier: MIT
// Minimal short-range programs that differ in one design decision each: the repulsive particles of the course CS267, in
// double.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "sim/study/work.hpp"

namespace orrery::sim::study {

/// Constants of the problem (docs/boxes.md, short-range-box).
struct RepulsiveBox {
  static constexpr double area = 0.0005, mass = 0.01, cutoff = 0.01, min_r = cutoff / 100, dt = 0.0005;
  /// Edge of the square for n particles.
  static double size(std::size_t n) { return std::sqrt(area * static_cast<double>(n)); }
};

struct ShortRangeRung {
  std::string_view name, idea;  ///< the change against the rung before
  std::size_t max_bodies;       ///< more would take too long, O(n²)
  /// Bodies in the plane, as the initial state short-range-box places them; a GPU index or a number of threads.
  std::unique_ptr<Work> (*make)(const Bodies& bodies, int device_or_threads);
};

std::span<const ShortRangeRung> short_range_on_cpu();
/// Empty without CUDA.
std::span<const ShortRangeRung> short_range_on_gpu();

/// Bytes that a step of sorted particles in bins of `width` cutoffs touches: positions and velocities read and written
/// twice (sort and step), ids, and counts and starts of bins, read and written.
inline double working_set_bytes(std::size_t n, double width = 2) {
  const double bin = width * RepulsiveBox::cutoff, bins = RepulsiveBox::size(n) * RepulsiveBox::size(n) / (bin * bin);
  return static_cast<double>(n) * (2 * 2 * 4 * 8 + 4 * 4) + bins * 4 * 4;
}

}  // namespace orrery::sim::study
