// SPDX-License-Identifier: MIT
// The suite `short-range`: how long whole runs take whose forces end at a cutoff, beside what others published.
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

/// `repulsive`: the problem of the course CS267 in the plane, 1000 steps from its beginning. `wca`: bodies on a cubic lattice of
/// density 1 in a periodic box, after it has melted.
enum class ShortRangeProblem { repulsive, wca };

std::string_view name_of(ShortRangeProblem problem);

/// What others say that they took. It is theirs: other machines, and programs that need not do all that this one does.
struct Published {
  ShortRangeProblem problem;
  std::size_t bodies;
  double steps_per_second;
  std::string_view words;  ///< "2.6 s"
  std::string_view hardware, source;
};

std::span<const Published> published_times();

/// One line of the result.
struct ShortRangeRow {
  ShortRangeProblem problem = ShortRangeProblem::repulsive;
  std::string_view backend;
  sim::Precision precision = sim::Precision::float64;
  std::string kernel{};
  int threads = 1;  ///< of the processor; 0 where a device does the work
  std::size_t bodies = 0;

  std::string hardware{};
  Timing timing{};        ///< of steps
  double set_up = 0;      ///< s: bodies are made and brought to where they are moved, and two steps taken
  double copy_rate = 0;   ///< bytes a second, read and written, of the same threads or device; 0: not measured
  std::string failure{};  ///< why there are no numbers

  static constexpr std::int64_t steps_of_run = 1000;
  /// From the first to the last step.
  [[nodiscard]] double of_a_run() const { return timing.median * static_cast<double>(steps_of_run); }
  [[nodiscard]] double of_a_particle_step() const { return timing.median / static_cast<double>(bodies); }
  /// What a particle-step must move at least: position and velocity are read and written once, as numbers of this precision.
  [[nodiscard]] double least_bytes() const;
  /// The time that copying so many bytes takes / the time that was taken.
  [[nodiscard]] double share_of_copy() const {
    return copy_rate > 0 ? least_bytes() / of_a_particle_step() / copy_rate : 0;
  }
};

/// How fast memory is copied.
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
  std::vector<std::size_t> sizes{};  ///< numbers of bodies; empty: the suite's own
  bool all = false;                  ///< more bodies, and whatever time they take
  bool quick = false;                ///< few bodies
  bool wca = true;                   ///< that problem too
};

struct ShortRangeResult {
  std::vector<ShortRangeRow> rows;
  std::vector<CopyRate> rates;
};

/// As bench_forces: a row that fails says why, and where `show` returns true, what was measured so far is the result.
ShortRangeResult bench_short_range(const ShortRangeBench& bench,
                                   const std::function<bool(double, const ShortRangeRow&)>& show);

}  // namespace orrery::pipeline
