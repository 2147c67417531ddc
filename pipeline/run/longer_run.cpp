// SPDX-License-Identifier: MIT
#include "pipeline/run/longer_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "pipeline/compare/key_differences.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/schedule_keys.hpp"
#include "sim/elementary.hpp"

namespace orrery::pipeline {
namespace {

__extension__ using Wide = __int128;  // step × count may overflow 64 bits

bool sets(const std::vector<std::string>& overrides, std::string_view key) {
  return std::ranges::any_of(
      overrides, [&](const std::string& override) { return plain_key(override.substr(0, override.find('='))) == key; });
}

/// Returns the steps of logarithmic(count, first, from), continued to `to` with the same growth.
std::vector<std::int64_t> logarithmic_beyond(std::int64_t count, std::int64_t first, std::int64_t from,
                                             std::int64_t to) {
  std::vector<std::int64_t> steps = logarithmic(count, first, from).steps;
  const auto start = static_cast<double>(first), end = static_cast<double>(to);
  const double growth = sim::natural_log(static_cast<double>(from) / start);
  for (std::int64_t k = count; count > 2 && from > first; ++k) {
    const double grown = sim::exponential(growth * (static_cast<double>(k - 1) / static_cast<double>(count - 2)));
    const double next = std::floor(start * grown + 0.5);
    if (!(next <= end)) break;
    if (const auto step = static_cast<std::int64_t>(next); step > steps.back()) steps.push_back(step);
  }
  return steps;
}

/// Returns steps in 0 … `to`, at the distances of `count` evenly spaced steps in 0 … `from`.
std::vector<std::int64_t> even_beyond(std::int64_t count, std::int64_t from, std::int64_t to) {
  const std::int64_t times = (to - 1) / from + 1;
  const Schedule even(Evenly{(count - 1) * times + 1}, from * times);
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= to; step = even.from(step + 1)) steps.push_back(step);
  return steps;
}

/// Returns the overrides of `table` that continue a schedule of `count` frames or rows (`key`) from `plan.steps` to
/// `to` at the same distances. Schedules with `every` or `times` need none.
std::vector<std::string> continued(const Section& section, std::string_view table, std::string_view key,
                                   std::int64_t count, const StepPlan& plan, std::int64_t to) {
  const std::int64_t from = plan.steps;
  if (section.given("every") || section.given("times") || from == 0) return {};
  std::vector<std::string> overrides;
  const auto set = [&](std::string_view name, const Value& value) {
    overrides.push_back(fmt::format("{}.{}={}", table, name, to_toml(value)));
  };
  const auto clear = [&](std::string_view name) {
    if (section.given(name)) set(name, "auto");
  };
  const auto set_times = [&](const std::vector<std::int64_t>& steps) {
    clear(key);
    std::vector<double> times;
    for (const std::int64_t step : steps) times.push_back(static_cast<double>(step) * plan.dt);
    set("times", times);
  };
  if (section->text("spacing") == "log") {
    std::vector<std::string> said;  // when the run was made
    const std::int64_t first =
        section.given("first") ? nearest_step(section, "first", time_of(section, "first", plan.units), plan.dt, said)
                               : 1;
    set("spacing", "even");
    clear("first");
    set_times(logarithmic_beyond(count, first, from, to));
  } else if (const Wide intervals = Wide{count - 1} * to; intervals % from == 0) {
    set(key, static_cast<std::int64_t>(intervals / from) + 1);
  } else if (from % (count - 1) == 0) {
    clear(key);
    set("every", from / (count - 1));
  } else {
    set_times(even_beyond(count, from, to));
  }
  return overrides;
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
                                    const std::optional<std::filesystem::path>& output) {
  if (overrides.empty()) return std::nullopt;
  const bool time = sets(overrides, "integrator.time"), steps = sets(overrides, "integrator.steps");
  const TrajectoryReader run(file);
  const RunRecord& record = run.record();
  const Scenario before = scenario_of(run, file);
  // Without dt it would follow from the new outputs.
  if (!before.integrator.section->has("dt")) overrides.push_back("integrator.dt=" + to_toml(record.dt));
  Scenario longer = scenario_of(run, file, overrides);
  const TimeUnits units{record.initial_facts.timescale, std::string(before.units->time)};
  const Section& integrator = longer.integrator.section;
  const double dt = time_of(integrator, "dt", units);

  const Keys there = physics_of(run);
  const auto recorded = there.find("trajectory.frames");
  const auto physics_in = [&](std::int64_t number_of_steps, std::string frames) {
    if (longer.trajectory.given("frames")) frames = to_toml(longer.trajectory->integer("frames"));
    return physics(longer,
                   {.G = record.initial_facts.G, .dt = dt, .steps = number_of_steps, .frames = std::move(frames)});
  };
  const auto differ = differences(there, physics_in(record.steps, recorded == there.end() ? "" : recorded->second));
  if (!differ.empty()) {
    refuse(file,
           fmt::format("holds another run: {}; --set can only make it longer, by integrator.time or integrator.steps: "
                       "`orrery run` begins another",
                       in_words(differ, "there", "here")));
  }
  if (!time && !steps) return std::nullopt;
  std::vector<std::string> said;  // by set_up, too
  const std::int64_t to = integrator.given("steps")
                              ? integrator->integer("steps")
                              : nearest_step(integrator, "time", time_of(integrator, "time", units), dt, said);
  if (to == record.steps) return std::nullopt;
  if (to < record.steps) {
    refuse(file, fmt::format("goes to t = {} in {} steps, and a run can only be made longer: {} steps are fewer",
                             shortest_text(static_cast<double>(record.steps) * dt), record.steps, to));
  }

  const auto continue_schedule = [&](const Section& section, const char* table, const char* key, std::int64_t count) {
    for (std::string& more : continued(section, table, key, count, {dt, record.steps, units}, to))
      overrides.push_back(std::move(more));
  };
  if (recorded != there.end()) {
    const double frames = number_of(recorded->second).value_or(0);
    if (!(frames >= 1 && frames <= 1e15)) refuse(file, "has an invalid number of frames");
    continue_schedule(before.trajectory, "trajectory", "frames", static_cast<std::int64_t>(frames));
  }
  if (before.observables.given("rows"))
    continue_schedule(before.observables, "observables", "rows", before.observables->integer("rows"));
  longer = scenario_of(run, file, overrides);

  const std::string name = longer.trajectory->text("file");
  const auto fits = [&](const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder)) return true;
    if (!std::filesystem::exists(folder / name)) return false;
    try {
      return differences(physics_of(TrajectoryReader(folder / name)), physics_in(to, "")).empty();
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
