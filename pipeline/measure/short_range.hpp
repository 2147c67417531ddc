// SPDX-License-Identifier: MIT
// The suite `short-range`: times of whole runs with forces that end at a cutoff, and published times.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/measure/timing.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// `repulsive`: the problem of the course CS267 in the plane, its first 1000 steps. `wca`: a cubic lattice of density 1
/// in a periodic box, after it has melted.
enum class ShortRangeProblem { repulsive, wca };

std::string_view name_of(ShortRangeProblem problem);

/// A published time, of another program on another machine.
struct Published {
  ShortRangeProblem problem;
  std::size_t bodies;
  double steps_per_second;
  std::string_view words;  ///< "2.6 s"
  std::string_view hardware, source;
};

std::span<const Published> published_times();

/// A row of the result.
struct ShortRangeRow {
  ShortRangeProblem problem = ShortRangeProblem::repulsive;
  std::string_view backend;
  sim::Precision precision = sim::Precision::float64;
  std::string kernel{};
  int threads = 1;  ///< of the CPU; 0 on a device
  std::size_t bodies = 0;

  std::string hardware{};
  Timing timing{};        ///< of steps
  double set_up = 0;      ///< s: making the bodies, transfers, and two steps
  double copy_rate = 0;   ///< bytes/s, read and written, of the same threads or device; 0: not measured
  std::string failure{};  ///< error message, or empty

  static constexpr std::int64_t steps_of_run = 1000;
  /// s, from the first to the last step.
  [[nodiscard]] double of_a_run() const { return timing.median * static_cast<double>(steps_of_run); }
  [[nodiscard]] double of_a_particle_step() const { return timing.median / static_cast<double>(bodies); }
  /// Minimum memory traffic per particle-step: position and velocity read and written once in this precision.
  [[nodiscard]] double min_bytes() const;
  /// Time to copy these bytes / measured time; 0 if not measured.
  [[nodiscard]] double share_of_copy() const {
    return copy_rate > 0 ? min_bytes() / of_a_particle_step() / copy_rate : 0;
  }
};

/// Measured rate of memory copies.
struct CopyRate {
  std::string_view backend;
  std::string hardware;
  int threads;
  double bytes_per_second;  ///< read and written
};

/// What to measure.
struct ShortRangeBench {
  std::vector<const sim::BackendKind*> kinds{};
  sim::BackendOptions options{};
  std::vector<std::size_t> sizes{};  ///< numbers of bodies; empty: default of the suite
  bool all = false;                  ///< also large and slow rows
  bool quick = false;                ///< few bodies
  bool wca = true;                   ///< measure `wca` too
};

struct ShortRangeResult {
  std::vector<ShortRangeRow> rows;
  std::vector<CopyRate> rates;
};

/// As bench_forces: failures are stored in their rows; if `show` returns true, the measurement ends with the rows so
/// far.
ShortRangeResult bench_short_range(const ShortRangeBench& bench,
                                   const std::function<bool(double, const ShortRangeRow&)>& show);

}  // namespace orrery::pipeline
