// SPDX-License-Identifier: MIT
#include "pipeline/run/longer_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "pipeline/compare/key_differences.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/scenario/duration.hpp"

namespace orrery::pipeline {
namespace {

bool sets(const std::vector<std::string>& overrides, std::string_view key) {
  return std::ranges::any_of(
      overrides, [&](const std::string& override) { return plain_key(override.substr(0, override.find('='))) == key; });
}

/// Returns the first of the folders FOLDER-2, FOLDER-3, … beside that of `file` for which `fits` is true.
template <class Fits>
std::filesystem::path folder_beside(const std::filesystem::path& file, const Fits& fits) {
  std::filesystem::path folder = file.parent_path();
  if (const auto name = folder.filename(); name.empty() || name == "." || name == "..")
    folder = std::filesystem::canonical(folder.empty() ? "." : folder);
  if (folder.filename().empty()) refuse(file, "a longer run gets a folder of its own: name it with -o");
  for (int k = 2;; ++k) {
    auto candidate = folder.parent_path() / fmt::format("{}-{}", folder.filename().string(), k);
    if (fits(candidate)) return candidate;
  }
}

}  // namespace

std::optional<LongerRun> longer_run(const std::filesystem::path& file, std::vector<std::string> overrides,
                                    const std::optional<std::filesystem::path>& output,
                                    const std::shared_ptr<const sim::PlugIns>& plug_ins) {
  if (overrides.empty()) return std::nullopt;
  const bool time = sets(overrides, "integrator.time"), steps = sets(overrides, "integrator.steps");
  const TrajectoryReader run(file);
  const RunRecord& record = run.record();
  const Scenario before = scenario_of(run, file, {}, plug_ins);
  const Keys there = physics_of(run);
  const TimeUnits units{record.initial_facts.timescale, record.time_unit, record.epoch};
  sim::Model model = before.model;
  std::vector<std::string> said;  // when the run was made
  // Without dt it would follow from the new outputs.
  if (!set_steps(before, units, model, said)) overrides.push_back("integrator.dt=" + to_toml(record.dt));
  Scenario longer = scenario_of(run, file, overrides, plug_ins);
  (void)set_steps(longer, units, model, said);
  const std::int64_t to = std::exchange(model.steps, record.steps);
  const auto keys = [&](std::int64_t frames) {
    return physics(recipe(longer), record.initial_facts.G, model.dt, model.steps, frames);
  };
  const auto differ = differences(there, keys(record.frames));
  if (!differ.empty()) {
    refuse(file,
           fmt::format("holds another run: {}; --set can only make it longer, by integrator.time or integrator.steps: "
                       "`orrery run` begins another",
                       to_text(differ, "there", "here")));
  }
  if ((!time && !steps) || to == record.steps) return std::nullopt;
  if (to < record.steps) {
    refuse(file, fmt::format("goes to t = {} in {} steps, and a run can only be made longer: {} steps are fewer",
                             shortest_text(model.end()), record.steps, to));
  }
  for (std::string& more : continued_outputs(before, record.frames, {model.dt, record.steps, units}, to))
    overrides.push_back(std::move(more));
  longer = scenario_of(run, file, overrides, plug_ins);
  model.steps = to;

  const std::string name = longer.file;
  const auto fits = [&](const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder)) return true;
    if (!std::filesystem::exists(folder / name)) return false;
    try {
      return differences(physics_of(TrajectoryReader(folder / name)), keys(0)).empty();
    } catch (const Error&) {  // not a run of this program
      return false;
    }
  };
  const std::filesystem::path folder = output ? *output : folder_beside(file, fits);
  if (std::error_code none; std::filesystem::equivalent(folder / name, file, none))
    refuse(file, "stays as it is; a longer run gets a folder of its own: name another with -o");
  return LongerRun{std::move(longer), folder};
}

}  // namespace orrery::pipeline
