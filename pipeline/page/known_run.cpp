// SPDX-License-Identifier: MIT
#include "pipeline/page/known_run.hpp"

#include <fmt/format.h>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/run/run_labels.hpp"

namespace orrery::pipeline {

KnownRun::KnownRun(const TrajectoryReader& run, const EnergyErrors& errors_of_run)
    : file(run),
      errors(errors_of_run),
      record(run.record()),
      units(record),
      history(run.history()),
      state(run.restart()) {
  try {
    scenario = scenario_of(run, run.path());
    scenario->model.G = record.initial_facts.G;
  } catch (const Error& error) {
    unreadable = error.what();
  }
}

std::string KnownRun::name_of(std::int64_t body) const {
  return printable(body_name(file, body));
}

std::string title_of(const KnownRun& run) {
  std::string title = printable(run.record.title);
  if (title.find_first_not_of(' ') != std::string::npos) return title;
  return printable(names_by_path({run.file.path()}).front());
}

std::string brief(const KnownRun& run) {
  const std::vector<double>& times = run.file.times();
  const auto bodies = static_cast<std::int64_t>(run.file.whole()), frames = static_cast<std::int64_t>(times.size());
  std::string words = fmt::format("{} · {}", counted(bodies, "body", "bodies"), counted(run.reached(), "step"));
  if (frames > 0)
    words += fmt::format(" · t = {} … {}", number(times.front()), readable_time(times.back(), run.record));
  return fmt::format("{} · {}", words, counted(frames, "frame"));
}

std::string RunWords::bibtex() const {
  std::string all;
  for (const Cited& each : references) all += (all.empty() ? "" : "\n") + each.bibtex;
  return all;
}

RunWords words_of(const TrajectoryReader& run, const EnergyErrors& errors) {
  const KnownRun known(run, errors);
  Methods paper = methods(known);
  Again repeated = again(known);
  return {.title = title_of(known),
          .brief = brief(known),
          .simulated = simulated(known),
          .conserved = conserved(known),
          .cautions = cautions(known),
          .methods = std::move(paper.text),
          .references = std::move(paper.references),
          .provenance = provenance(known),
          .commands = std::move(repeated.commands),
          .scenario = std::move(repeated.scenario)};
}

RunWords words_of(const TrajectoryReader& run) {
  return words_of(run, energy_errors(run));
}

}  // namespace orrery::pipeline
