// SPDX-License-Identifier: MIT
// What a reader of a run should be careful about: sentences with numbers and times.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/page/known_run.hpp"

namespace orrery::pipeline {
namespace {

std::string unfinished(const KnownRun& run) {
  if (run.file.finished()) return "";
  const double reached = run.state ? run.state->time : 0;
  return fmt::format("The run is not finished: it has reached {}, step {} of {}.", time_in_words(reached, run.record),
                     run.reached(), run.record.steps);
}

std::string energy_off(const KnownRun& run) {
  const std::string words = energy_warning(run.file, run.errors);
  return words.empty() ? "" : fmt::format("The run does not conserve energy: {}.", words);
}

std::string massless(const KnownRun& run) {
  const auto& massless = run.errors.massless;
  if (!massless || massless->not_measured.empty()) return "";
  return fmt::format("How well the bodies without mass were integrated was not measured: {}.", massless->not_measured);
}

}  // namespace

std::vector<std::string> cautions(const KnownRun& run) {
  std::vector<std::string> all;
  for (const auto make : {unfinished, energy_off, massless}) {
    if (std::string sentence = make(run); !sentence.empty()) all.push_back(std::move(sentence));
  }
  return all;
}

}  // namespace orrery::pipeline
