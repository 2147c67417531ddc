// SPDX-License-Identifier: MIT
// Of runs that are compared: what is read, and what tells them apart.
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

namespace orrery::pipeline::convergence {
namespace {

/// The greatest |ΔE/E₀| of the rows, and of what was met between them.
double energy_error(const TrajectoryReader& run) {
  const auto energy = energy_record(run.history());
  if (!energy)
    throw Error(fmt::format("{}: has no rows of observables: there is no energy to draw", run.path().string()), 2);
  if (energy->first == 0)
    throw Error(fmt::format("{}: its energy is 0 at the start, so nothing relates to it: draw error = \"state\"",
                            run.path().string()),
                2);
  return energy->greatest_error;
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
    run.end = final_state(trajectory, *state);
  } else {
    run.energy_error = energy_error(trajectory);
  }
  return run;
}

std::string units_of(const RunRecord& record) {
  if (record.time_unit.empty() && record.length_unit.empty()) return "none";
  return PhysicalUnit(record.time_unit).readable() + ", " + PhysicalUnit(record.length_unit).readable();
}

/// Runs of one sweep: the same scenario with the same overrides, but for the swept ones. Where nothing is swept, each of its own.
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
    request.keys.complain("others", fmt::format("the runs count in different units ({} and {}): they share no axis",
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
  // What is kept of a run changes none of its errors.
  std::erase_if(
      keys, [](const std::string& key) { return key.starts_with("trajectory.") || key.starts_with("observables."); });
  return keys;
}

}  // namespace orrery::pipeline::convergence
