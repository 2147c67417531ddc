// SPDX-License-Identifier: MIT
// The suite `forces`: how many interactions a second whole steps of the all-pairs engine come to.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/measure/gpu_state.hpp"
#include "pipeline/measure/timing.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// The arithmetic instructions that an interaction takes at least in this engine, which meets each pair once: half of
/// what a pair takes. A fused multiply-add is one; the seed of float64's root, made with integers, is none. A kernel
/// that meets pairs from both sides takes more, which is its loss.
///
///                                          float64   mixed   float32
///   x_j − x_i, three times                       3       9         3      mixed: high and low parts, and their sum
///   r²                                           3       3         3
///   1/√r² to 1e-5, or the processor's root       6       1         1
///   r⁻³                                          7       2         2
///   times either mass                            2       2         2
///   added to either body's sums                  6       6         6
double instructions_per_interaction(sim::Precision precision);

std::string_view name_of(sim::Precision precision);

/// What a backend's threads or device could do at most.
struct FmaRates {
  std::string_view backend;
  std::string hardware;  ///< "avx512, 2 threads", or the device
  int threads;
  double in_double, in_float;  ///< fused multiply-adds a second

  [[nodiscard]] double of(sim::Precision p) const { return p == sim::Precision::float64 ? in_double : in_float; }
};

/// One line of the result: what was measured, and what came of it.
struct BenchRow {
  std::string_view backend;  ///< "textbook" for the loop that others are compared with
  sim::Precision precision = sim::Precision::float64;
  std::string kernel;  ///< empty where a row failed before its backend had chosen one
  int threads = 1;     ///< of the processor; 0 where a device does the work
  std::size_t bodies = 0;

  std::string hardware{};     ///< as the backend says it
  Timing timing{};            ///< of whole steps; of force evaluations for the textbook
  double work = 0;            ///< interactions of an evaluation of the forces, as the solver counts them
  double interactions = 0;    ///< a second: work × force evaluations / time
  double fma_rate = 0;        ///< a second, of the same threads or device, in this precision; 0: not measured
  double times_textbook = 0;  ///< compared with that loop on as many threads; 0: it was not measured
  GpuState gpu{};             ///< during such steps
  std::string failure{};      ///< why there are no numbers

  /// interactions × instructions / fma_rate: how much of what the machine could do is the engine's work.
  [[nodiscard]] double fraction() const {
    return fma_rate > 0 ? interactions * instructions_per_interaction(precision) / fma_rate : 0;
  }
};

/// What to measure.
struct ForceBench {
  std::vector<const sim::BackendKind*> kinds;
  sim::BackendOptions options;
  std::vector<std::size_t> sizes{};          ///< numbers of bodies; empty: each backend's own
  bool all = false;                          ///< every kernel by name, and steps that take longer than `longest_step`
  std::vector<sim::Precision> precisions{};  ///< only these; empty: every backend's own
  std::vector<std::string_view> kernels{};   ///< these by name; empty: what runs take
  std::vector<int> threads{};                ///< of the processor, for any number of bodies; empty: as is usual
  bool textbook = true;                      ///< the textbook's loop is measured too
  bool rates = true;                         ///< fused multiply-adds a second too
  Patience patience{};
  double longest_step = 2;  ///< s
  bool gpu_state = true;    ///< the GPU's clock and power are asked for, which takes its tool half a second a row
};

struct ForceResult {
  std::vector<BenchRow> rows;
  std::vector<FmaRates> rates;
};

/// Measures row by row. A row that fails says why, and the next one goes on. `show(done, row)` is called before each
/// row and each of its repetitions, with the share of rows that are done; where it returns true, what was measured so
/// far is the result.
ForceResult bench_forces(const ForceBench& bench, const std::function<bool(double, const BenchRow&)>& show);

}  // namespace orrery::pipeline
