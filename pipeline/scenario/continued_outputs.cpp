// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "pipeline/scenario/scenario.hpp"
#include "sim/elementary.hpp"

namespace orrery::pipeline {
namespace {

__extension__ using Wide = __int128;  // step × count may overflow 64 bits

/// The steps of logarithmic(count, first, from), continued to `to` with the same growth.
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

/// Steps in 0 … `to`, at the distances of `count` evenly spaced steps in 0 … `from`.
std::vector<std::int64_t> even_beyond(std::int64_t count, std::int64_t from, std::int64_t to) {
  const std::int64_t times = (to - 1) / from + 1;
  const Schedule even(Evenly{(count - 1) * times + 1}, from * times);
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= to; step = even.from(step + 1)) steps.push_back(step);
  return steps;
}

/// The overrides of `table` that continue a schedule of `count` frames or rows (`key`) from `plan.steps` to
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

}  // namespace

std::vector<std::string> continued_outputs(const Scenario& scenario, std::int64_t frames, const StepPlan& plan,
                                           std::int64_t to) {
  std::vector<std::string> overrides;
  const auto add = [&](const Section& section, const char* table, const char* key, std::int64_t count) {
    for (std::string& more : continued(section, table, key, count, plan, to)) overrides.push_back(std::move(more));
  };
  if (frames > 0) add(scenario.tables.trajectory, "trajectory", "frames", frames);
  const Section& observables = scenario.tables.observables;
  if (observables.given("rows")) add(observables, "observables", "rows", observables->integer("rows"));
  return overrides;
}

}  // namespace orrery::pipeline
