// SPDX-License-Identifier: MIT
// Timings over the number of bodies, shared by several studies.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/study/study.hpp"
#include "sim/bodies.hpp"
#include "sim/precision.hpp"

namespace orrery::pipeline {

/// The time of one step or evaluation.
struct SweepPoint {
  std::size_t bodies;
  Timing timing;              ///< one repetition if `extrapolated`
  bool extrapolated = false;  ///< from the point before, ∝ bodies²
};

struct SizeSweep {
  std::string name;  ///< of its curve
  std::vector<SweepPoint> points{};
};

/// n bodies of equal mass, total mass 1, at random in a cube of edge 10 and at rest. The same in all runs.
sim::Bodies bodies_of_study(std::size_t n);

/// The same in a cube of edge 2 about the origin: they fall together, and close encounters amplify errors.
sim::Bodies falling_bodies(std::size_t n);

/// A system of these bodies with gravity, G = 1.
sim::System gravity_system(const sim::Bodies& bodies, double softening);

/// Plummer softening and step of all studies of gravity, in the units of `bodies_of_study`.
inline constexpr double study_softening = 0.05, study_step = 1e-6;

/// These, with the threads and the device of the run.
sim::study::Setting setting_of(const StudyRun& run);

/// Times `make(n)` for each of the ascending sizes, extrapolating steps above `longest_measured_step`. Ends when
/// stopped, or before the first size for which `make` returns null.
SizeSweep sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
                const std::function<std::unique_ptr<sim::study::Work>(std::size_t)>& make);

/// Times steps of the engine as `bench --suite forces` does. `threads`: of the CPU, ignored by a GPU.
SizeSweep engine_sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
                       const sim::BackendKind& kind, sim::Precision precision, int threads,
                       std::string_view kernel = "");

const sim::BackendKind& cpu_kind();

/// Times over numbers of bodies, without error bars.
render::Curve curve_of(const SizeSweep& sweep);

/// `factor` × the time at `bodies`, s; text if extrapolated, empty if not measured.
Cell time_cell(const SizeSweep& sweep, std::size_t bodies, double factor = 1);

/// A row per size: "bodies", then the times of each sweep, s.
ResultTable table_of(std::string name, std::string title, std::span<const SizeSweep> sweeps);

/// The time at `bodies`, s; 0 if not measured.
double time_at(const SizeSweep& sweep, std::size_t bodies);

/// "1.23 ms"
std::string time_text(double seconds);

/// Interactions of an evaluation of all pairs, n².
inline double pairs_of(std::size_t n) {
  return static_cast<double>(n) * static_cast<double>(n);
}

}  // namespace orrery::pipeline
