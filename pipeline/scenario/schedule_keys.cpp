// SPDX-License-Identifier: MIT
#include "pipeline/scenario/schedule_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::pipeline {
namespace {

/// Checks that involve several keys.
void check_combination(const Section& section, std::string_view count) {
  const auto rules = {count, std::string_view("every"), std::string_view("times")};
  const auto given = [&](std::string_view key) { return section.given(key); };
  if (std::ranges::count_if(rules, given) > 1) {
    section.complain(
        given(count) ? count : "every",
        fmt::format("give only one of `{}`, `every` and `times` (set a key to \"auto\" to ignore it)", count));
  }
  const bool log = section->text("spacing") == "log";
  if (log && !given(count)) section.complain("spacing", fmt::format("\"log\" needs `{}`", count));
  if (!log && given("first") && !given("every"))
    section.complain("first", "`first` goes with `every` or `spacing = \"log\"`");
}

At at_times(const Section& section, const StepPlan& step_plan) {
  At at;
  for (const double time : times_of(section, "times", step_plan.units)) {
    at.steps.push_back(whole_steps(section, "times", time, step_plan.dt));
    if (at.steps.back() > step_plan.steps)
      section.complain("times", fmt::format("t = {} is after the end of the run", time));
  }
  if (at.steps.empty()) section.complain("times", "`times` is empty");
  std::ranges::sort(at.steps);
  at.steps.erase(std::unique(at.steps.begin(), at.steps.end()), at.steps.end());
  return at;
}

/// The step of `first`, which must be in 1 … steps.
std::int64_t first_of(const Section& section, const StepPlan& step_plan) {
  const std::int64_t first = whole_steps(section, "first", time_of(section, "first", step_plan.units), step_plan.dt);
  if (first < 1 || first > step_plan.steps) {
    section.complain("first", fmt::format("`first` must be after t = 0 and not after the end of the run, t = {}",
                                          static_cast<double>(step_plan.steps) * step_plan.dt));
  }
  return first;
}

At logarithmic_of(const Section& section, std::string_view count, std::int64_t wanted, const StepPlan& step_plan) {
  constexpr std::int64_t most = 1'000'000;
  if (wanted > most) section.complain(count, fmt::format("`spacing = \"log\"` supports at most {}", most));
  const std::int64_t first = section.given("first") ? first_of(section, step_plan) : 1;
  if (wanted > 2 && wanted - 1 > step_plan.steps - first + 1) {
    section.complain(count, fmt::format("steps {} to {} are too few for {}: at most {}", first, step_plan.steps, wanted,
                                        step_plan.steps - first + 2));
  }
  return logarithmic(wanted, first, step_plan.steps);
}

}  // namespace

std::int64_t whole_steps(const Section& section, std::string_view key, double time, double dt) {
  const double steps = dt < 0 ? std::abs(time / dt) : time / dt, whole = std::nearbyint(steps);
  if (steps < 0) {
    section.complain(key, fmt::format("t = {} is before the start: `{}` must be ≥ 0 unless dt is negative", time, key));
  }
  if (!(steps <= 1e15)) section.complain(key, fmt::format("{:.3g} steps are more than 1e15: use a larger dt", steps));
  if (std::abs(steps - whole) > 1e-9 * whole) {
    section.complain(
        key,
        fmt::format("t = {} is {:.6g} steps of dt = {}, not an integer: the nearest is t = {:.12g}{}", time, steps, dt,
                    std::max(whole, 1.0) * dt,
                    key == "time" ? fmt::format("; or use dt = {}", std::copysign(time / std::ceil(steps), dt)) : ""));
  }
  return static_cast<std::int64_t>(whole);
}

Schedule schedule_of(const Section& section, std::string_view count, const StepPlan& step_plan,
                     const Schedule& otherwise) {
  check_combination(section, count);
  if (section.given("every")) {
    const std::int64_t first = section.given("first") ? first_of(section, step_plan) : 0;
    return {Every{section->integer("every"), first}, step_plan.steps};
  }
  if (section.given("times")) return {at_times(section, step_plan), step_plan.steps};
  if (!section.given(count)) return otherwise;
  const std::int64_t wanted = section->integer(count);
  if (wanted > step_plan.steps + 1) {
    section.complain(count, fmt::format("{} {} in {} steps: each is at a different step, so at most {}", wanted, count,
                                        step_plan.steps, step_plan.steps + 1));
  }
  if (section->text("spacing") == "log") return {logarithmic_of(section, count, wanted, step_plan), step_plan.steps};
  return {Evenly{wanted}, step_plan.steps};
}

}  // namespace orrery::pipeline
