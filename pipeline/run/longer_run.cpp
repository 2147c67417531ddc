// SPDX-License-Identifier: MIT
// The scenario of a longer run: the same keys, but for how long it is and when it is looked at.
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

__extension__ using Wide = __int128;  // step × count outgrows 64 bits in a long run

bool sets(const RunOptions& options, std::string_view key) {
  return std::ranges::any_of(options.overrides, [&](std::string_view override) {
    std::string_view name = override.substr(0, override.find('='));
    while (name.ends_with(' ')) name.remove_suffix(1);
    return plain_key(std::string(name)) == key;
  });
}

/// Steps from `first` on, at distances that grow by a factor: as logarithmic(count, first, from) has them, and beyond.
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

/// Steps 0 … `to` at the distances of `count` of them, evenly in 0 … `from`.
std::vector<std::int64_t> even_beyond(std::int64_t count, std::int64_t from, std::int64_t to) {
  const std::int64_t times = (to - 1) / from + 1;
  const Schedule even(Evenly{(count - 1) * times + 1}, from * times);
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= to; step = even.from(step + 1)) steps.push_back(step);
  return steps;
}

/// One of the two schedules, frames or rows, in a run that goes on from `course.steps` to `to`.
class Continued {
 public:
  Continued(const Section& section, std::string table, std::string_view key, const StepPlan& step_plan, std::int64_t to)
      : section_(section), table_(std::move(table)), key_(key), step_plan_(step_plan), to_(to) {}

  /// Overrides that keep the distances of `count` of them. Those at every so many steps and at times of their own stay.
  std::vector<std::string> overrides(std::int64_t count) {
    const std::int64_t from = step_plan_.steps;
    if (section_.given("every") || section_.given("times") || from == 0) return {};
    if (section_->text("spacing") == "log") {
      const bool given = section_.given("first");
      const std::int64_t first =
          given ? whole_steps(section_, "first", time_of(section_, "first", step_plan_.units), step_plan_.dt) : 1;
      set("spacing", "even");
      clear("first");
      at(logarithmic_beyond(count, first, from, to_));
    } else if (const Wide intervals = Wide{count - 1} * to_; intervals % from == 0) {
      set(key_, static_cast<std::int64_t>(intervals / from) + 1);
    } else if (from % (count - 1) == 0) {
      clear(key_);
      set("every", from / (count - 1));
    } else {
      at(even_beyond(count, from, to_));
    }
    return std::move(overrides_);
  }

 private:
  void set(std::string_view key, const Value& value) {
    overrides_.push_back(fmt::format("{}.{}={}", table_, key, to_toml(value)));
  }
  void clear(std::string_view key) {
    if (section_.given(key)) set(key, "auto");
  }
  void at(const std::vector<std::int64_t>& steps) {
    clear(key_);
    std::vector<double> times;
    for (const std::int64_t step : steps) times.push_back(static_cast<double>(step) * step_plan_.dt);
    set("times", times);
  }

  const Section& section_;
  std::string table_;
  std::string_view key_;
  StepPlan step_plan_;
  std::int64_t to_;
  std::vector<std::string> overrides_;
};

/// The first folder beside that of `file`, by number, that `fits`.
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

std::optional<LongerRun> longer_run(const RunOptions& options) {
  if (options.overrides.empty()) return std::nullopt;
  const bool time = sets(options, "integrator.time"), steps = sets(options, "integrator.steps");
  const std::filesystem::path file = options.source;
  const TrajectoryReader run(file);
  const RunRecord& record = run.record();
  const Scenario before = scenario_of(run, file);
  std::vector<std::string> overrides = options.overrides;
  // The other one says the old length.
  if (steps && !time && before.integrator.section.given("time")) overrides.emplace_back("integrator.time=\"auto\"");
  if (time && !steps && before.integrator.section.given("steps")) overrides.emplace_back("integrator.steps=\"auto\"");
  Scenario longer = scenario_of(run, file, overrides);
  const TimeUnits units{record.initial_facts ? record.initial_facts->timescale : set_up(before).timescale,
                        std::string(before.units->time)};
  const Section& integrator = longer.integrator.section;
  const double dt = time_of(integrator, "dt", units);

  const Keys there = physics_of(run);
  const auto recorded = there.find("trajectory.frames");
  const auto physics_in = [&](std::int64_t number_of_steps, std::string frames) {
    if (longer.trajectory.given("frames")) frames = to_toml(longer.trajectory->integer("frames"));
    return physics(longer, {.G = record.initial_facts ? record.initial_facts->G : before.units->G,
                            .dt = dt,
                            .steps = number_of_steps,
                            .frames = std::move(frames)});
  };
  const auto differ = differences(there, physics_in(record.steps, recorded == there.end() ? "" : recorded->second));
  if (!differ.empty()) {
    refuse(file,
           fmt::format("holds another run: {}; --set can only make it longer, by integrator.time or integrator.steps: "
                       "`orrery run` begins another",
                       in_words(differ, "there", "here")));
  }
  if (!time && !steps) return std::nullopt;
  const std::int64_t to = integrator.given("steps")
                              ? integrator->integer("steps")
                              : whole_steps(integrator, "time", time_of(integrator, "time", units), dt);
  if (to == record.steps) return std::nullopt;
  if (to < record.steps) {
    refuse(file, fmt::format("goes to t = {} in {} steps, and a run can only be made longer: {} steps are fewer",
                             in_digits(static_cast<double>(record.steps) * dt), record.steps, to));
  }

  const auto go_on = [&](const Section& section, const char* table, const char* key, std::int64_t count) {
    Continued continued(section, table, key, {dt, record.steps, units}, to);
    for (std::string& more : continued.overrides(count)) overrides.push_back(std::move(more));
  };
  if (recorded != there.end()) {
    const double frames = number_of(recorded->second).value_or(0);
    if (!(frames >= 1 && frames <= 1e15)) refuse(file, "says no number of frames that a run can have");
    go_on(before.trajectory, "trajectory", "frames", static_cast<std::int64_t>(frames));
  }
  if (before.observables.given("rows"))
    go_on(before.observables, "observables", "rows", before.observables->integer("rows"));
  longer = scenario_of(run, file, overrides);

  const std::string name = longer.trajectory->text("file");
  const auto fits = [&](const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder)) return true;
    if (!std::filesystem::exists(folder / name)) return false;
    try {
      return differences(physics_of(TrajectoryReader(folder / name)), physics_in(to, "")).empty();
    } catch (const Error&) {  // somebody else's
      return false;
    }
  };
  const std::filesystem::path folder = options.output ? *options.output : folder_beside(file, fits);
  if (std::error_code none; std::filesystem::equivalent(folder / name, file, none))
    refuse(file, "stays as it is; a longer run gets a folder of its own: name another with -o");
  return LongerRun{std::move(longer), folder};
}

}  // namespace orrery::pipeline
