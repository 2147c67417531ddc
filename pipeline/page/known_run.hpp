// SPDX-License-Identifier: MIT
// A run as the parts of a page see it, and these parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/page/phrases.hpp"
#include "pipeline/page/words.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// What is read of a file once.
struct KnownRun {
  KnownRun(const TrajectoryReader& run, const EnergyErrors& errors_of_run);

  const TrajectoryReader& file;
  const EnergyErrors& errors;
  const RunRecord& record;
  RunUnits units;
  History history;
  std::optional<sim::Snapshot> state;  ///< the newest complete one
  std::optional<Scenario>
      scenario;            ///< its model has the G of the run, and no bodies; empty: this version cannot read it
  std::string unreadable;  ///< why not

  /// In the order of the run: in all of them, frames may keep fewer.
  [[nodiscard]] bool keeps_all() const { return file.bodies().size() == file.whole(); }
  [[nodiscard]] bool alone() const { return file.whole() == 1; }
  /// "the Sun", “Ida”, "body 3"
  [[nodiscard]] std::string name_of(std::int64_t body) const;
  /// The last step that is there, and its time.
  [[nodiscard]] std::int64_t reached() const { return state ? state->step : 0; }
  [[nodiscard]] double end() const { return static_cast<double>(record.steps) * record.dt; }
  /// The integrator chooses its steps, and dt is at most that of the outputs.
  [[nodiscard]] bool own_steps() const { return state && state->clock.steps > 0; }
};

std::string title_of(const KnownRun& run);
std::string brief(const KnownRun& run);
std::string simulated(const KnownRun& run);
std::vector<WordsRow> conserved(const KnownRun& run);
std::vector<std::string> cautions(const KnownRun& run);
std::vector<WordsRow> provenance(const KnownRun& run);

/// The scenario, and the commands that run it again.
struct Again {
  std::string scenario;
  std::vector<ShellLine> commands;
};
Again again(const KnownRun& run);

/// The methods paragraph, and the works that it cites in their order.
struct Methods {
  std::string text;
  std::vector<Cited> references;
};
Methods methods(const KnownRun& run);

}  // namespace orrery::pipeline
