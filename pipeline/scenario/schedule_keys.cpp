// SPDX-License-Identifier: MIT
// One set of keys for frames and for rows of observables.
#include "pipeline/scenario/schedule_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::pipeline {
namespace {

/// What no single key can get wrong.
void check_together(const Section& section, std::string_view count) {
  const auto how = {count, std::string_view("every"), std::string_view("times")};
  const auto given = [&](std::string_view key) { return section.given(key); };
  if (std::ranges::count_if(how, given) > 1) {
    section.complain(
        given(count) ? count : "every",
        fmt::format("give one of `{}`, `every` and `times` (a key that is \"auto\" counts as absent)", count));
  }
  const bool log = section->text("spacing") == "log";
  if (log && !given(count)) section.complain("spacing", fmt::format("\"log\" needs `{}`: how many there are", count));
  if (!log && given("first") && !given("every"))
    section.complain("first", "`first` goes with `every` or `spacing = \"log\"`");
}

At at_times(const Section& section, const StepPlan& step_plan) {
  At at;
  for (const double time : times_of(section, "times", step_plan.units)) {
    at.steps.push_back(whole_steps(section, "times", time, step_plan.dt));
    if (at.steps.back() > step_plan.steps)
      section.complain("times", fmt::format("t = {} lies behind the end of the run", time));
  }
  if (at.steps.empty()) section.complain("times", "`times` names no time");
  std::ranges::sort(at.steps);
  at.steps.erase(std::unique(at.steps.begin(), at.steps.end()), at.steps.end());
  return at;
}

/// The step of `first`, which lies within the run and behind its beginning.
std::int64_t first_of(const Section& section, const StepPlan& step_plan) {
  const std::int64_t first = whole_steps(section, "first", time_of(section, "first", step_plan.units), step_plan.dt);
  if (first < 1 || first > step_plan.steps) {
    section.complain("first", fmt::format("`first` must lie behind t = 0, and not behind the end of the run, t = {}",
                                          static_cast<double>(step_plan.steps) * step_plan.dt));
  }
  return first;
}

/// Step 0 and those of a logarithmic spacing from `first` on.
At at_powers(const Section& section, std::string_view count, std::int64_t wanted, const StepPlan& step_plan) {
  constexpr std::int64_t most = 1'000'000;
  if (wanted > most) section.complain(count, fmt::format("with `spacing = \"log\"` there can be at most {}", most));
  const std::int64_t first = section.given("first") ? first_of(section, step_plan) : 1;
  if (wanted > 2 && wanted - 1 > step_plan.steps - first + 1) {
    section.complain(count, fmt::format("from step {} to step {} there is no room for {}: at most {}", first,
                                        step_plan.steps, wanted, step_plan.steps - first + 2));
  }
  return logarithmic(wanted, first, step_plan.steps);
}

}  // namespace

std::int64_t whole_steps(const Section& section, std::string_view key, double time, double dt) {
  const double steps = dt < 0 ? std::abs(time / dt) : time / dt, whole = std::nearbyint(steps);
  if (steps < 0) {
    section.complain(
        key, fmt::format("t = {} lies before the start: `{}` must be at least 0, unless dt is below 0 too", time, key));
  }
  if (!(steps <= 1e15)) section.complain(key, fmt::format("{:.3g} steps are more than 1e15: take a larger dt", steps));
  if (std::abs(steps - whole) > 1e-9 * whole) {
    section.complain(
        key,
        fmt::format("t = {} is {:.6g} steps of dt = {}, no whole number: the nearest is t = {:.12g}{}", time, steps, dt,
                    std::max(whole, 1.0) * dt,
                    key == "time" ? fmt::format("; or take dt = {}", std::copysign(time / std::ceil(steps), dt)) : ""));
  }
  return static_cast<std::int64_t>(whole);
}

Schedule schedule_of(const Section& section, std::string_view count, const StepPlan& step_plan,
                     const Schedule& otherwise) {
  check_together(section, count);
  if (section.given("every")) {
    const std::int64_t first = section.given("first") ? first_of(section, step_plan) : 0;
    return {Every{section->integer("every"), first}, step_plan.steps};
  }
  if (section.given("times")) return {at_times(section, step_plan), step_plan.steps};
  if (!section.given(count)) return otherwise;
  const std::int64_t wanted = section->integer(count);
  if (wanted > step_plan.steps + 1) {
    section.complain(count, fmt::format("{} {} of {} steps: each falls on a step of its own, so at most {}", wanted,
                                        count, step_plan.steps, step_plan.steps + 1));
  }
  if (section->text("spacing") == "log") return {at_powers(section, count, wanted, step_plan), step_plan.steps};
  return {Evenly{wanted}, step_plan.steps};
}

}  // namespace orrery::pipeline
