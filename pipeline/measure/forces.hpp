// SPDX-License-Identifier: MIT
// The suite `forces`: interactions per second of whole steps of the all-pairs engine.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/measure/gpu_state.hpp"
#include "pipeline/measure/timing.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// Minimum number of arithmetic instructions per interaction: half of those of a pair, since the engine computes each
/// pair once. A fused multiply-add counts as one, the integer operations of the seed of float64's root as none.
/// One-sided kernels need more.
///
///                                          float64   mixed   float32
///   x_j − x_i, three times                       3       9         3      mixed: high and low parts, and their sum
///   r²                                           3       3         3
///   1/√r² to 1e-5, or the processor's root       6       1         1
///   r⁻³                                          7       4         2      mixed: with a step of Newton's method
///   times either mass                            2       2         2
///   added to either body's sums                  6       6         6
///   of a pair                                   27      25        17
double instructions_per_interaction(sim::Precision precision);

/// The device, or the SIMD target and threads.
std::string hardware_of(const sim::BackendKind& kind, const sim::BackendOptions& options);

/// Measured maximum rates of a backend's threads or device.
struct FmaRates {
  std::string_view backend;
  std::string hardware;  ///< "avx512, 2 threads", or the device
  int threads;
  double in_double, in_float;  ///< fused multiply-adds per second

  [[nodiscard]] double of(sim::Precision p) const { return p == sim::Precision::float64 ? in_double : in_float; }
};

/// A row of the result.
struct BenchRow {
  std::string_view backend;  ///< or "textbook" for the baseline loop
  sim::Precision precision = sim::Precision::float64;
  std::string kernel;  ///< empty if the row failed before the backend chose one
  int threads = 1;     ///< of the CPU; 0 on a device
  std::size_t bodies = 0;

  std::string hardware{};     ///< reported by the backend
  Timing timing{};            ///< of whole steps; of force evaluations for the textbook
  double work = 0;            ///< interactions per force evaluation, counted by the solver
  double interactions = 0;    ///< per second: work × force evaluations / time
  double fma_rate = 0;        ///< per second, of the same threads or device, in this precision; 0: not measured
  double times_textbook = 0;  ///< relative to the textbook loop on as many threads; 0: not measured
  GpuState gpu{};             ///< during the steps
  std::string failure{};      ///< error message, or empty

  /// interactions × instructions / fma_rate: the share of the machine's maximum; 0 if not measured.
  [[nodiscard]] double fraction() const {
    return fma_rate > 0 ? interactions * instructions_per_interaction(precision) / fma_rate : 0;
  }
};

/// What to measure.
struct ForceBench {
  std::vector<const sim::BackendKind*> kinds;
  sim::BackendOptions options;
  std::vector<std::size_t> sizes{};          ///< numbers of bodies; empty: default of each backend
  bool all = false;                          ///< every kernel, and steps longer than `longest_step`
  std::vector<sim::Precision> precisions{};  ///< empty: all of each backend
  std::vector<std::string_view> kernels{};   ///< by name; empty: the default kernel
  std::vector<int> threads{};                ///< of the CPU, for any number of bodies; empty: default
  bool textbook = true;                      ///< measure the textbook loop too
  bool rates = true;                         ///< measure fused multiply-adds per second too
  Patience patience{};
  double longest_step = 2;  ///< s
  bool gpu_state = true;    ///< query the GPU's clock and power, which takes half a second per row
};

struct ForceResult {
  std::vector<BenchRow> rows;
  std::vector<FmaRates> rates;
};

/// Measures row by row; a failure is stored in its row. `show(done, row)` is called before each row and each
/// repetition, with the share of completed rows; if it returns true, the measurement ends with the rows so far.
ForceResult bench_forces(const ForceBench& bench, const std::function<bool(double, const BenchRow&)>& show);

}  // namespace orrery::pipeline
