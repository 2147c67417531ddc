// SPDX-License-Identifier: MIT
#include "pipeline/compare/diff.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/error.hpp"
#include "pipeline/compare/comparison.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/scenario_text.hpp"

namespace orrery::pipeline {
namespace {

/// Indices of entries of two runs at the same time.
struct Matches {
  std::vector<std::pair<std::size_t, std::size_t>> both;
  std::vector<std::size_t> only_a, only_b;
};

/// Matches entries by time. `direction`: −1 if times decrease.
Matches match(const std::vector<double>& a, const std::vector<double>& b, double direction, double tolerance) {
  Matches found;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && std::abs(a[i] - b[j]) <= tolerance) {
      found.both.emplace_back(i++, j++);
    } else if (j == b.size() || (i < a.size() && direction * a[i] < direction * b[j])) {
      found.only_a.push_back(i++);
    } else {
      found.only_b.push_back(j++);
    }
  }
  return found;
}

struct Run {
  std::string name;
  TrajectoryReader trajectory;
  History history;
  BodySet bodies;

  explicit Run(const std::filesystem::path& file)
      : name(file.string()), trajectory(file), history(trajectory.history()), bodies(stored_in(trajectory)) {}
  [[nodiscard]] const RunRecord& record() const { return trajectory.record(); }
};

/// The keys that determine the bits of the run of a scenario.
Keys keys_of_scenario(const std::filesystem::path& file) {
  Messages silent;
  const ScenarioText source = scenario_text(file, silent);
  refuse_several(source);
  const Scenario scenario = parse_scenario(source);
  return physics(scenario, set_up_to_step(scenario));
}

/// Compares a scenario with another or with a trajectory.
Verdict diff_of_keys(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto keys_of = [](const std::filesystem::path& file) {
    return names_scenario(file) ? keys_of_scenario(file) : physics_of(TrajectoryReader(file));
  };
  const auto physics = differences(keys_of(a), keys_of(b));
  Report report;
  report.add("same", physics.empty(),
             physics.empty() ? "yes: the same run, by the keys that determine its bits" : "no");
  add_keys(report, "physics", physics, a.string(), b.string());
  return {.same = physics.empty(), .report = std::move(report)};
}

}  // namespace

Verdict diff(const std::filesystem::path& file_a, const std::filesystem::path& file_b) {
  if (names_scenario(file_a) || names_scenario(file_b)) return diff_of_keys(file_a, file_b);
  const Run a(file_a), b(file_b);
  const auto &options_a = a.trajectory.options(), &options_b = b.trajectory.options();
  const bool floats = options_a.single_precision || options_b.single_precision;
  // With different dt, equal times may differ by rounding errors.
  const double tolerance = 1e-9 * std::min(std::abs(a.record().dt), std::abs(b.record().dt));
  const double direction = a.record().dt < 0 ? -1 : 1;
  const Matches frames = match(a.trajectory.times(), b.trajectory.times(), direction, tolerance);
  const Matches rows = match(a.history.time, b.history.time, direction, tolerance);
  const auto places_a = a.bodies.places_of(b.bodies), places_b = b.bodies.places_of(a.bodies);
  const BodySet common = a.bodies.at(places_a);

  const auto periods = a.record().domain.periods();
  Comparison comparison(floats, periods == b.record().domain.periods() ? periods : std::array<double, 3>{});
  for (const auto& [i, j] : frames.both) {
    try {
      comparison.add_frame(i, as_stored(a.trajectory.snapshot(i), places_a, floats, options_a.velocities),
                           as_stored(b.trajectory.snapshot(j), places_b, floats, options_b.velocities), common);
    } catch (const Error& damage) {
      comparison.add_damaged(damage.what());
    }
  }
  for (const auto& [i, j] : rows.both) {
    comparison.add_row(i, a.history.step[i], row_at(a.history, i), row_at(b.history, j));
  }
  const auto physics = differences(physics_of(a.trajectory), physics_of(b.trajectory));
  const auto bodies = differences(a.bodies, b.bodies);
  const bool same = physics.empty() && bodies.empty() && comparison.same() && frames.only_a.empty() &&
                    frames.only_b.empty() && rows.only_a.empty() && rows.only_b.empty();

  Report report;
  report.add("same", same, same ? "yes, to the last bit" : "no");
  add_keys(report, "physics", physics, a.name, b.name);
  add_keys(report, "bodies", bodies, a.name, b.name);
  comparison.report(report, a.name, b.name);
  const auto add_unmatched = [&](const std::string& key, const Run& run, const std::vector<std::size_t>& some,
                                 const std::vector<double>& times) {
    if (some.empty()) return;
    report.add(key, static_cast<std::int64_t>(some.size()),
               fmt::format("{} of {}, the first at t = {:.12g}", some.size(), run.name, times[some.front()]));
  };
  add_unmatched("frames_only_in_a", a, frames.only_a, a.trajectory.times());
  add_unmatched("frames_only_in_b", b, frames.only_b, b.trajectory.times());
  add_unmatched("rows_only_in_a", a, rows.only_a, a.history.time);
  add_unmatched("rows_only_in_b", b, rows.only_b, b.history.time);
  add_keys(report, "provenance", provenance_differences(a.record(), b.record()), a.name, b.name);
  return {.same = same, .report = std::move(report)};
}

}  // namespace orrery::pipeline
