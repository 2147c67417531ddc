// SPDX-License-Identifier: MIT
#include "pipeline/scenario/schedule_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

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

/// The entries of `times` that are not after the end, as they are written.
Value without_later(Value list, const std::vector<bool>& is_later) {
  const auto erase = [&](auto& entries) {
    std::size_t k = 0;
    std::erase_if(entries, [&](const auto&) { return is_later[k++]; });
  };
  if (auto* numbers = std::get_if<std::vector<double>>(&list)) {
    erase(*numbers);
  } else {
    erase(std::get<std::vector<std::string>>(list));
  }
  return list;
}

At at_times(const Section& section, const StepPlan& step_plan, Adjusted& adjusted) {
  At at;
  std::vector<std::string> rounded;
  std::vector<bool> is_later;
  const bool fits = step_plan.fits_outputs && !section.overridden("times");
  for (const double time : times_of(section, "times", step_plan.units)) {
    const std::int64_t step = nearest_step(section, "times", time, step_plan.dt, rounded);
    is_later.push_back(step > step_plan.steps);
    if (!is_later.back()) at.steps.push_back(step);
    if (is_later.back() && !fits) section.complain("times", fmt::format("t = {} is after the end of the run", time));
  }
  if (at.steps.empty()) section.complain("times", is_later.empty() ? "`times` is empty" : "all are after the end");
  if (!rounded.empty()) {
    adjusted.notes.push_back(fmt::format(
        "{}{}{}", rounded.front(), rounded.size() == 1 ? "" : fmt::format("; and {} more", rounded.size() - 1),
        step_plan.own_steps ? "; without `dt`, which this integrator does not need, none is" : ""));
  }
  if (const auto later = std::ranges::count(is_later, true); later > 0) {
    adjusted.keys["times"] = without_later(*section.values().find("times"), is_later);
    adjusted.notes.push_back(fmt::format("{}: {} of `times` {} after the new end of the run, and left out",
                                         section.where("times"), later, later == 1 ? "is" : "are"));
  }
  std::ranges::sort(at.steps);
  at.steps.erase(std::unique(at.steps.begin(), at.steps.end()), at.steps.end());
  return at;
}

/// The step of `first`, which must be in 1 … steps.
std::int64_t first_of(const Section& section, const StepPlan& step_plan, Adjusted& adjusted) {
  const std::int64_t first =
      nearest_step(section, "first", time_of(section, "first", step_plan.units), step_plan.dt, adjusted.notes);
  if (first < 1 || first > step_plan.steps) {
    section.complain("first", fmt::format("`first` must be after t = 0 and not after the end of the run, t = {}",
                                          static_cast<double>(step_plan.steps) * step_plan.dt));
  }
  return first;
}

/// `wanted` frames or rows, or `most` if overrides made the run too short for them.
std::int64_t fitted(const Section& section, std::string_view count, std::int64_t wanted, std::int64_t most,
                    const StepPlan& step_plan, Adjusted& adjusted) {
  if (wanted <= most) return wanted;
  if (!step_plan.fits_outputs || section.overridden(count)) return wanted;
  adjusted.keys[std::string(count)] = most;
  adjusted.notes.push_back(fmt::format("{}: {} {} became {}, which is all that {} steps have room for",
                                       section.where(count), wanted, count, most, step_plan.steps));
  return most;
}

At logarithmic_of(const Section& section, std::string_view count, std::int64_t wanted, const StepPlan& step_plan,
                  Adjusted& adjusted) {
  constexpr std::int64_t most = 1'000'000;
  if (wanted > most) section.complain(count, fmt::format("`spacing = \"log\"` supports at most {}", most));
  const std::int64_t first = section.given("first") ? first_of(section, step_plan, adjusted) : 1;
  const std::int64_t room = std::max<std::int64_t>(step_plan.steps - first + 2, 2);
  wanted = fitted(section, count, wanted, room, step_plan, adjusted);
  if (wanted > room) {
    section.complain(count, fmt::format("steps {} to {} are too few for {}: at most {}", first, step_plan.steps, wanted,
                                        step_plan.steps - first + 2));
  }
  return logarithmic(wanted, first, step_plan.steps);
}

/// The smallest denominator of a fraction that is `share` within rounding; 0 if it exceeds 10⁶.
std::int64_t denominator_of(double share) {
  constexpr std::int64_t most = 1'000'000;
  std::int64_t before = 0, now = 1;  // denominators of convergents
  double rest = share;
  for (int k = 0; k < 40; ++k) {
    const auto multiple = static_cast<double>(now) * share;
    if (std::abs(multiple - std::nearbyint(multiple)) <= 1e-12 * multiple) return now;
    const double fraction = rest - std::floor(rest);
    if (!(fraction > 0)) return now;
    rest = 1 / fraction;
    if (!(rest < 1e12)) return now;
    const std::int64_t next = static_cast<std::int64_t>(rest) * now + before;
    if (next > most) return 0;
    before = std::exchange(now, next);
  }
  return 0;
}

}  // namespace

std::int64_t nearest_step(const Section& section, std::string_view key, double time, double dt,
                          std::vector<std::string>& notes) {
  const double steps = dt < 0 ? std::abs(time / dt) : time / dt, whole = std::nearbyint(steps);
  if (steps < 0) {
    section.complain(key, fmt::format("t = {} is before the start: `{}` must be ≥ 0 unless dt is negative", time, key));
  }
  if (!(steps <= 1e15)) section.complain(key, fmt::format("{:.3g} steps are more than 1e15: use a larger dt", steps));
  if (std::abs(steps - whole) <= 1e-9 * whole) return static_cast<std::int64_t>(whole);
  const bool length = key == "time";
  if (length && whole == 0)
    section.complain(key, fmt::format("t = {} is {:.3g} steps of dt = {}: use a smaller dt", time, steps, dt));
  notes.push_back(
      fmt::format("{}: t = {:.10g} is {:.6g} steps of dt = {:.10g} and was rounded to {}, t = {:.10g}{}",
                  section.where(key), time, steps, dt, static_cast<std::int64_t>(whole), whole * dt,
                  length ? fmt::format("; dt = {} divides it", std::copysign(time / std::ceil(steps), dt)) : ""));
  return static_cast<std::int64_t>(whole);
}

Schedule schedule_of(const Section& section, std::string_view count, const StepPlan& step_plan,
                     const Schedule& otherwise, Adjusted& adjusted) {
  check_combination(section, count);
  if (section.given("every")) {
    const std::int64_t first = section.given("first") ? first_of(section, step_plan, adjusted) : 0;
    return {Every{section->integer("every"), first}, step_plan.steps};
  }
  if (section.given("times")) return {at_times(section, step_plan, adjusted), step_plan.steps};
  if (!section.given(count)) return otherwise;
  const bool log = section->text("spacing") == "log";
  std::int64_t wanted = section->integer(count);
  if (!log || step_plan.steps == 0) wanted = fitted(section, count, wanted, step_plan.steps + 1, step_plan, adjusted);
  if (wanted > step_plan.steps + 1 && !(log && step_plan.fits_outputs)) {
    section.complain(count, fmt::format("{} {} in {} steps: each is at a different step, so at most {}", wanted, count,
                                        step_plan.steps, step_plan.steps + 1));
  }
  if (log) return {logarithmic_of(section, count, wanted, step_plan, adjusted), step_plan.steps};
  return {Evenly{wanted}, step_plan.steps};
}

std::int64_t steps_for_outputs(const Section& trajectory, const Section& observables, double time,
                               const TimeUnits& units) {
  constexpr std::int64_t usual = 600, finest = std::int64_t{1} << 40, in_first = 1000;
  if (time == 0) return 0;
  std::int64_t steps = 1;
  const auto divide = [&](std::int64_t parts) {
    steps = parts == 0 || steps / std::gcd(steps, parts) > finest / parts ? finest : std::lcm(steps, parts);
  };
  double first = std::abs(time);  // of a logarithmic schedule
  const auto add = [&](const Section& section, std::string_view count, std::int64_t otherwise) {
    if (section.given("times")) {
      for (const double at : times_of(section, "times", units)) divide(denominator_of(std::abs(at / time)));
    } else {
      divide(section.given(count) ? std::max<std::int64_t>(section->integer(count) - 1, 1) : otherwise);
    }
    if (!section.given("first")) return;
    const double at = std::abs(time_of(section, "first", units));
    divide(denominator_of(at / std::abs(time)));
    if (at > 0) first = std::min(first, at);
  };
  add(trajectory, "frames", usual);
  add(observables, "rows", 1);
  // Steps of a logarithmic schedule are rounded to those of the run.
  if (!(first < std::abs(time))) return steps;
  const double finer = std::max(1.0, std::ceil(std::abs(time) / first * in_first / static_cast<double>(steps)));
  return finer > static_cast<double>(finest / steps) ? finest : steps * static_cast<std::int64_t>(finer);
}

}  // namespace orrery::pipeline
