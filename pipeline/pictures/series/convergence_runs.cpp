// SPDX-License-Identifier: MIT
#include "pipeline/pictures/series/convergence_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "pipeline/number_text.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/run/sweep.hpp"
#include "sim/analysis/kepler_orbit.hpp"
#include "sim/initial_states/list.hpp"

namespace orrery::pipeline::convergence {
namespace {

/// The maximum |ΔE/E₀| of the rows and of the extremes between them.
double energy_error(const TrajectoryReader& run) {
  const auto energy = energy_record(run.history());
  if (!energy)
    throw Error(fmt::format("{}: has no rows of observables: there is no energy to draw", run.path().string()), 2);
  if (energy->first == 0)
    throw Error(
        fmt::format("{}: its energy is 0 at the start, so that there is no relative error: draw error = \"state\"",
                    run.path().string()),
        2);
  return energy->greatest_error;
}

double square(const sim::Vectors& v, std::size_t i) {
  return v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i];
}

double mean_square(const sim::Vectors& v) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += square(v, i);
  return sum / static_cast<double>(std::max<std::size_t>(v.size(), 1));
}

/// Positions on the Kepler orbit at the time of `state`; nullopt if the run is not an unperturbed two-body problem.
std::optional<sim::Vectors> exact_positions(const TrajectoryReader& run, const sim::Snapshot& state) {
  try {
    const Scenario scenario = scenario_of(run, run.path());
    const auto& initial = scenario.initial;
    const auto& force = scenario.forces.front();
    const bool kepler = initial.size() == 1 && initial.front().plugin == &sim::two_body && scenario.fields.empty() &&
                        scenario.perturbations.empty() &&
                        sim::is_newtonian(*force.plugin, force.plugin->numbers(force.section.values())) &&
                        force.section->number("softening") == 0;
    if (!kepler || state.position.size() != 2) return std::nullopt;
    const Arguments& keys = initial.front().section.values();
    const auto& mass = keys.numbers("masses");
    const double total = mass[0] + mass[1];
    const auto orbit = sim::kepler_orbit(force.section->number(force.plugin->coupling_key) * total,
                                         keys.number("semi_major_axis"), keys.number("eccentricity"), state.time);
    const auto& p = state.position;
    const auto centre = [&](const std::vector<double>& of) { return (mass[0] * of[0] + mass[1] * of[1]) / total; };
    const double x = centre(p.x), y = centre(p.y), z = centre(p.z);
    sim::Vectors places;
    for (const double share : {-mass[1] / total, mass[0] / total})
      places.push_back(x + share * orbit.position.x, y + share * orbit.position.y, z + share * orbit.position.z);
    return places;
  } catch (const Error&) {  // not valid in this version
    return std::nullopt;
  }
}

Run read(const TrajectoryReader& trajectory, bool states) {
  const auto state = trajectory.restart();
  if (!trajectory.finished() || !state) {
    throw Error(fmt::format("{}: is not finished: `orrery resume` goes on with it", trajectory.path().string()), 2);
  }
  Run run{.record = trajectory.record(), .values = values_of(overrides_of(trajectory.record())), .end = {}};
  for (const auto& [key, value] : physics_of(trajectory)) run.values[plain_key(key)] = value;
  run.steps = state->clock.steps > 0 ? state->clock.steps : state->step;
  if (states) {
    run.end = {trajectory.path().string(), state->time, state->position, exact_positions(trajectory, *state)};
  } else {
    run.energy_error = energy_error(trajectory);
  }
  return run;
}

std::string units_of(const RunRecord& record) {
  if (record.time_unit.empty() && record.length_unit.empty()) return "none";
  return PhysicalUnit(record.time_unit).readable() + ", " + PhysicalUnit(record.length_unit).readable();
}

/// Groups runs with the same scenario and the same overrides except swept keys. If nothing is swept, each run is a group.
std::vector<std::vector<const Run*>> sweeps_of(const std::vector<Run>& runs, const std::vector<std::string>& swept) {
  std::map<std::string, std::vector<const Run*>> sweeps;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    std::string same = swept.empty() ? fmt::format("{}", k) : runs[k].record.scenario;
    for (const auto& [key, value] : values_of(overrides_of(runs[k].record))) {
      if (std::ranges::find(swept, key) == swept.end()) same += fmt::format("\n{} = {}", key, value);
    }
    sweeps[same].push_back(&runs[k]);
  }
  std::vector<std::vector<const Run*>> all;
  for (auto& [same, members] : sweeps) all.push_back(std::move(members));
  return all;
}

}  // namespace

bool is_seed(const std::string& key) {
  return key == "seed" || key.ends_with(".seed");
}

std::optional<double> number(const Keys& values, const std::string& key) {
  const auto found = values.find(key);
  if (found == values.end()) return std::nullopt;
  const auto value = number_of(found->second);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<Run> all_runs(const SeriesRequest& request, bool states) {
  std::vector<Run> runs{read(*request.trajectory, states)};
  if (!request.keys->has("others")) return runs;
  for (const std::string& file : request.keys->texts("others"))
    runs.push_back(read(other_run(request.keys, "others", request.trajectory->path().parent_path(), file), states));
  const RunRecord& first = runs.front().record;
  for (const Run& run : runs) {
    if (run.record.time_unit == first.time_unit && run.record.length_unit == first.length_unit) continue;
    request.keys.complain("others", fmt::format("the runs have different units ({} and {}): they cannot share an axis",
                                                units_of(first), units_of(run.record)));
  }
  return runs;
}

std::vector<std::string> keys_of(const std::vector<Run>& runs) {
  std::vector<const RunRecord*> records;
  for (const Run& run : runs) records.push_back(&run.record);
  std::vector<std::string> keys = swept_keys(records);
  const auto sweeps = sweeps_of(runs, keys);
  std::set<std::string> differing;
  for (const auto& sweep : sweeps) {
    for (const KeyDifference& key : differences(runs.front().values, sweep.front()->values)) differing.insert(key.key);
  }
  for (const auto& sweep : sweeps) {
    for (const Run* run : sweep) {
      for (const KeyDifference& key : differences(sweep.front()->values, run->values)) differing.erase(key.key);
    }
  }
  if (differing.contains("integrator.dt")) differing.erase("integrator.steps");
  for (const std::string& key : differing) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  // What is stored of a run does not change its errors.
  std::erase_if(
      keys, [](const std::string& key) { return key.starts_with("trajectory.") || key.starts_with("observables."); });
  return keys;
}

double size_of(const FinalState& state) {
  return std::sqrt(mean_square(state.position));
}

double distance(const FinalState& state, const sim::Vectors& reference) {
  sim::Vectors apart;
  const sim::Vectors& p = state.position;
  for (std::size_t i = 0; i < p.size(); ++i)
    apart.push_back(p.x[i] - reference.x[i], p.y[i] - reference.y[i], p.z[i] - reference.z[i]);
  return std::sqrt(mean_square(apart));
}

double distance_of_ends(const SeriesRequest& request, const FinalState& a, const FinalState& b) {
  const auto complain = [&](const std::string& a_has, const std::string& b_has, const char* want) {
    request.keys.complain(
        "error", fmt::format("{} {}, {} {}: final states can be compared only {}; use error = \"energy\"", a.file,
                             a_has, b.file, b_has, want));
  };
  if (a.position.size() != b.position.size()) {
    complain(fmt::format("has {} bodies", a.position.size()), fmt::format("{}", b.position.size()),
             "of runs of the same bodies");
  }
  if (std::abs(a.time - b.time) > 1e-9 * std::max(std::abs(a.time), std::abs(b.time)))
    complain(fmt::format("ends at t = {:.9g}", a.time), fmt::format("at {:.9g}", b.time), "at one time");
  return distance(a, b.position);
}

}  // namespace orrery::pipeline::convergence
