// SPDX-License-Identifier: MIT
// A study asks one question of this machine; the list of all.
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

/// Where a study measures, and where it puts what it finds.
class StudyRun {
 public:
  StudyRun(StudyResult& result, const sim::BackendKind* gpu, sim::BackendOptions options, std::filesystem::path scratch,
           std::function<bool(const std::string&)> show)
      : result(result), gpu(gpu), options(options), scratch(std::move(scratch)), show_(std::move(show)) {}

  StudyResult& result;
  const sim::BackendKind* gpu;          ///< null: there is none
  sim::BackendOptions options;          ///< threads and device
  const std::filesystem::path scratch;  ///< a folder for files that go again

  std::vector<std::size_t> asked_sizes{};  ///< numbers of bodies by --n, ascending; empty: the study's own

  [[nodiscard]] bool quick() const { return result.quick; }
  /// Those that were asked for, else one of these.
  [[nodiscard]] std::vector<std::size_t> sizes(std::span<const std::size_t> usual,
                                               std::span<const std::size_t> quick_ones) const {
    if (!asked_sizes.empty()) return asked_sizes;
    const std::span<const std::size_t> own = quick() ? quick_ones : usual;
    return {own.begin(), own.end()};
  }
  /// Says what is measured now; true where the person has had enough.
  bool stopped(const std::string& what) const { return show_(what); }

  /// The time of one step or evaluation of this work, median of `repetitions`; no repetitions where it was stopped.
  [[nodiscard]] Timing time(const std::string& what, sim::study::Work& work, int repetitions = 7) const;
  [[nodiscard]] Timing time(const std::string& what, const std::function<double(std::int64_t)>& take,
                            int repetitions = 7) const;

 private:
  std::function<bool(const std::string&)> show_;
};

struct Study {
  std::string_view name;
  std::string_view question;
  bool needs_gpu;
  void (*run)(StudyRun& run);
};

/// Every study, in the order of docs/studies.md.
std::span<const Study* const> studies();

/// A step that takes longer is not measured on a processor but extrapolated from fewer bodies, s.
inline constexpr double longest_measured_step = 10;

}  // namespace orrery::pipeline
