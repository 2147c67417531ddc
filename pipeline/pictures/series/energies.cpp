// SPDX-License-Identifier: MIT
// Figures "energy" and "energy-error".
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/pictures/series.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/massless_record.hpp"
#include "pipeline/run/run_labels.hpp"
#include "sim/integrator.hpp"

namespace orrery::pipeline {
namespace {

/// Force evaluations per step. For adaptive integrators the average, since only the total is known.
double evaluations_a_step(const TrajectoryReader& run) {
  const auto state = run.restart();
  if (state && state->step > 0 && state->clock.evaluations > 0)
    return static_cast<double>(state->clock.evaluations) / static_cast<double>(state->step);
  const Keys keys = recorded_physics(run.record());
  for (const sim::Integrator* integrator : sim::integrators()) {
    const auto kind = keys.find("integrator.kind");
    if (kind != keys.end() && kind->second == fmt::format("\"{}\"", integrator->name)) return integrator->evaluations;
  }
  throw Error(fmt::format("{}: the number of force evaluations is unknown", run.path().string()), 2);
}

double seconds_a_step(const TrajectoryReader& run) {
  const auto state = run.restart();
  if (!state || state->step == 0 || !(run.seconds() > 0))
    throw Error(fmt::format("{}: the run time is unknown", run.path().string()), 2);
  return run.seconds() / static_cast<double>(state->step);
}

render::Series energy_of(const TrajectoryReader& run, const std::string& name, const std::string& against,
                         std::size_t most) {
  const History history = run.history();
  if (history.time.empty()) {
    throw Error(fmt::format("{}: has no rows of observables: there is no energy to draw", run.path().string()), 2);
  }
  const sim::InitialEnergy start = initial_energy(history);
  render::Series series{.name = name,
                        .time = history.time,
                        .values = {history.time, history.total_energy},
                        .quantity = std::string(start.error_name()),
                        .scale = start.scale()};
  if (shows_between_rows(history)) {
    const auto state = run.restart();
    series.about = extremes_in_words(history, state ? state->clock.steps : 0);
    for (const std::size_t end : {0, 1}) {
      auto& values = series.values.emplace_back();
      for (const auto& range : history.energy_range) values.push_back(range[end]);
    }
  } else if (history.energy_range.empty()) {
    series.about = too_few_rows(history.time, history.total_energy, run.record().initial_facts.timescale);
  }
  if (has_bath(run.record())) series.about += (series.about.empty() ? "" : "; ") + std::string(exchanged);
  if (against == "time") return thinned(series, most);
  const double a_step = against == "evaluations" ? evaluations_a_step(run) : seconds_a_step(run);
  std::ranges::transform(history.step, series.values[0].begin(),
                         [&](std::int64_t step) { return a_step * static_cast<double>(step); });
  return thinned(series, most);
}

void check_other(const SeriesRequest& request, const RunOutline& other) {
  if (request.keys->text("against") != "time" || other.stored.time_unit == request.stored.time_unit) return;
  const auto counts = [](const std::string& unit) {
    return unit.empty() ? "has no units" : "counts time in " + PhysicalUnit(unit).readable();
  };
  request.keys.complain("others", fmt::format("{} {}, this run {}: they cannot share an axis", other.file.string(),
                                              counts(other.stored.time_unit), counts(request.stored.time_unit)));
}

/// Names of the errors of the bodies with and without mass; `of` is the run, "" if it is alone.
std::string with_mass(const std::string& of) {
  return (of.empty() ? "" : of + ": ") + "with mass";
}
std::string without_mass(const std::string& of, const std::string& how) {
  return (of.empty() ? "" : of + ": ") + "without mass" + how;
}

/// Adds the errors of the bodies without mass, or that they were not measured. Of masses without energy they take the place:
/// see RunOutline::massless_apart().
void add_massless(std::vector<render::Series>& all, const TrajectoryReader& run, const std::string& name,
                  const std::string& against, std::size_t most) {
  const auto massless = massless_record(run);
  if (!massless) return;
  render::Series& massive = all.back();
  const bool apart = massive.scale > 0 || std::ranges::count_if(run.bodies().mass, [](double m) { return m > 0; }) > 1;
  if (!massless->not_measured.empty()) {
    if (!apart) {
      massive.about += (massive.about.empty() ? "" : "; ") + std::string("bodies without mass were not measured");
      return;
    }
    massive.name = with_mass(name);
    all.push_back({.name = without_mass(name, ""),
                   .values = std::vector<std::vector<double>>(2),
                   .about = "not measured",
                   .quantity = massive.quantity,
                   .scale = 1});
    return;
  }
  render::Series series{.name = without_mass(name, ", " + massless->looked_at),
                        .time = massless->time,
                        .values = {massless->time, massless->error},
                        .quantity = massless->name,
                        .scale = 1};
  // The first row is the start, to which the errors refer.
  if (series.time.empty() || series.time.front() != massive.time.front()) {
    series.time.insert(series.time.begin(), massive.time.front());
    series.values[0].insert(series.values[0].begin(), massive.time.front());
    series.values[1].insert(series.values[1].begin(), 0);
  }
  if (against != "time") {
    const double a_step = against == "evaluations" ? evaluations_a_step(run) : seconds_a_step(run);
    const double dt = run.record().dt;
    for (double& x : series.values[0]) x *= a_step / dt;
  }
  if (!apart) {
    massive = thinned(series, most);
    return;
  }
  massive.name = with_mass(name);
  all.push_back(thinned(series, most));
}

/// The series of runs to come, without values.
std::vector<render::Series> series_to_come(const std::vector<RunOutline>& runs) {
  std::vector<std::string> names;
  for (const RunOutline& run : runs) {
    const std::string of = runs.size() > 1 ? run.file.lexically_normal().string() : "";
    if (run.massless_apart()) {
      names.insert(names.end(), {with_mass(of), without_mass(of, "")});
    } else {
      names.push_back(run.has_massless ? without_mass(of, "") : of);
    }
  }
  return empty_series(names, 2);
}

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::string& against = request.keys->text("against");
  const bool alone = !request.keys->has("others") || request.keys->texts("others").empty();
  if (against == "wall-time" && request.stored.steps == 0)
    request.keys.complain("against", "the run has no steps, and takes no time: use \"time\"");
  if (request.trajectory == nullptr) return series_to_come(request.runs);
  std::deque<TrajectoryReader> others;
  std::vector<const TrajectoryReader*> runs{request.trajectory};
  if (!alone) {
    for (const std::string& file : request.keys->texts("others"))
      runs.push_back(
          &others.emplace_back(other_run(request.keys, "others", request.trajectory->path().parent_path(), file)));
  }
  for (const TrajectoryReader& other : others) check_other(request, outline_of(other));
  const std::vector<std::string> labels = alone ? std::vector<std::string>{""} : run_labels(runs);
  std::vector<render::Series> all;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    all.push_back(energy_of(*runs[k], labels[k], against, request.most_rows));
    add_massless(all, *runs[k], labels[k], against, request.most_rows);
  }
  return all;
}

/// Kinetic, potential and total. The first has the remark for all.
std::vector<render::Series> make_energies(const SeriesRequest& request) {
  std::vector<render::Series> all = empty_series({"kinetic", "potential", "total"}, 1);
  if (request.trajectory == nullptr) return all;
  const History history = request.trajectory->history();
  if (history.time.empty()) return all;
  all[0].about = too_few_rows(history.time, history.kinetic_energy, request.info.timescale);
  fill(all[0], request, history.time, history.kinetic_energy);
  fill(all[1], request, history.time, history.potential_energy);
  fill(all[2], request, history.time, history.total_energy);
  return all;
}

}  // namespace

extern const SeriesKind energy_series{
    .figure = "energy-error", .make = make, .of_runs = true, .check_other = check_other};
extern const SeriesKind energies_series{"energy", make_energies};

}  // namespace orrery::pipeline
