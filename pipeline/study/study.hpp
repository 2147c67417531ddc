// SPDX-License-Identifier: MIT
// A study answers one question about this machine by measurements.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/measure/timing.hpp"
#include "pipeline/study/result.hpp"
#include "sim/backend.hpp"
#include "sim/study/work.hpp"

namespace orrery::pipeline {

/// Input and output of a running study.
struct StudyRun {
  StudyResult& result;
  const sim::BackendKind* gpu;                   ///< null if there is none
  sim::BackendOptions options;                   ///< threads and device
  std::filesystem::path scratch;                 ///< folder for temporary files
  std::vector<std::size_t> requested_sizes;      ///< numbers of bodies of --n, ascending; empty: the study's own
  std::function<bool(const std::string&)> show;  ///< called with what is measured now; true after a signal

  [[nodiscard]] bool quick() const { return result.quick; }
  /// The requested sizes, or one of the defaults.
  [[nodiscard]] std::vector<std::size_t> sizes(std::span<const std::size_t> defaults,
                                               std::span<const std::size_t> quick_ones) const {
    if (!requested_sizes.empty()) return requested_sizes;
    const std::span<const std::size_t> own = quick() ? quick_ones : defaults;
    return {own.begin(), own.end()};
  }
  bool stopped(const std::string& what) const { return show(what); }

  /// Times one step or evaluation of `work`, median of `repetitions`. Has no repetitions if stopped.
  [[nodiscard]] Timing time(const std::string& what, sim::study::Work& work, int repetitions = 7) const;
};

struct Study {
  std::string_view name;
  std::string_view question;
  bool needs_gpu;
  void (*run)(StudyRun& run);
};

extern const Study peak_study, unroll_study, block_study, bodies_study, symmetry_study, small_study, threads_study,
    ladder_study, profile_study, cells_study, divergence_study, energy_study, precision_study, frames_study,
    matrix_study, sanitizer_study;

/// All studies, in the order of docs/studies.md.
std::span<const Study* const> studies();

/// s; longer steps are not measured but extrapolated from fewer bodies.
inline constexpr double longest_measured_step = 10;

}  // namespace orrery::pipeline
