// SPDX-License-Identifier: MIT
// Integer arithmetic, so that no step is missed or repeated in a run of any length.
#include "pipeline/scenario/schedule.hpp"

#include <algorithm>
#include <cmath>

#include "sim/elementary.hpp"

namespace orrery::pipeline {
namespace {

__extension__ using Wide = __int128;  // step × count may exceed 64 bits

/// The step of frame k of `count`: k · last / (count − 1), rounded to nearest.
std::int64_t even_step(std::int64_t k, std::int64_t count, std::int64_t last) {
  const Wide intervals = std::max<std::int64_t>(count - 1, 1);
  return static_cast<std::int64_t>((2 * Wide{k} * last + intervals) / (2 * intervals));
}

}  // namespace

At logarithmic(std::int64_t count, std::int64_t first, std::int64_t last) {
  At at{{0}};
  if (count < 2 || last == 0) return at;
  const auto start = static_cast<double>(first), end = static_cast<double>(last);
  const double whole = sim::natural_log(end / start),
               intervals = static_cast<double>(std::max<std::int64_t>(count - 2, 1));
  for (std::int64_t k = 1; k < count - 1; ++k) {
    const double step = std::floor(start * sim::exponential(whole * (static_cast<double>(k - 1) / intervals)) + 0.5);
    const auto nearest = static_cast<std::int64_t>(std::min(step, end));
    // After the previous step, with room for the following ones.
    at.steps.push_back(std::clamp(nearest, std::max(first, at.steps.back() + 1), last - (count - 1 - k)));
  }
  at.steps.push_back(last);
  return at;
}

std::optional<std::int64_t> equidistant_count(std::int64_t wish, std::int64_t steps) {
  constexpr std::int64_t farthest = 1'000'000;  // limits the search; a divisor is nearer in practice
  const std::int64_t least = std::max<std::int64_t>((2 * wish + 2) / 3, 2), most = wish + wish / 2;
  const auto divides = [&](std::int64_t count) {
    return count >= least && count <= most && count <= steps + 1 && steps % (count - 1) == 0;
  };
  for (std::int64_t away = 0; away <= std::min(wish, farthest); ++away) {
    for (const std::int64_t count : {wish + away, wish - away}) {
      if (divides(count)) return count;
    }
  }
  return std::nullopt;
}

std::int64_t usual_frames(std::int64_t steps) {
  constexpr std::int64_t wish = 600;
  return steps < wish ? steps + 1 : equidistant_count(wish, steps).value_or(wish);
}

std::int64_t equidistant_above(std::int64_t least, std::int64_t steps) {
  for (std::int64_t count = std::max<std::int64_t>(least, 2); count <= least + least / 2; ++count) {
    if (steps % (count - 1) == 0) return count;
  }
  return least;
}

std::int64_t Schedule::from(std::int64_t step) const {
  if (const auto* every = std::get_if<Every>(&rule_)) {
    if (step <= 0) return 0;
    const std::int64_t beyond = std::max<std::int64_t>(step - every->first, 0);
    const std::int64_t next = every->first + (beyond + every->interval - 1) / every->interval * every->interval;
    return std::min(next, last_ + 1);
  }
  if (const auto* at = std::get_if<At>(&rule_)) {
    const auto next = std::ranges::lower_bound(at->steps, step);
    return next == at->steps.end() ? last_ + 1 : *next;
  }
  const std::int64_t count = std::get<Evenly>(rule_).count;
  if (last_ == 0) return step > 0 ? 1 : 0;
  auto k = static_cast<std::int64_t>(Wide{step} * (count - 1) / last_);
  k = std::max<std::int64_t>(k - 1, 0);
  while (k < count && even_step(k, count, last_) < step) ++k;
  return k < count ? even_step(k, count, last_) : last_ + 1;
}

std::int64_t Schedule::size() const {
  if (const auto* every = std::get_if<Every>(&rule_))
    return (last_ - every->first) / every->interval + (every->first > 0 ? 2 : 1);
  if (const auto* at = std::get_if<At>(&rule_)) return static_cast<std::int64_t>(at->steps.size());
  return std::get<Evenly>(rule_).count;
}

Schedule::Gaps Schedule::gaps() const {
  if (size() < 2) return {0, 0};
  if (const auto* every = std::get_if<Every>(&rule_)) {
    const auto [interval, first] = *every;
    if (first == 0) return {interval, interval};
    return size() == 2 ? Gaps{first, first} : Gaps{std::min(first, interval), std::max(first, interval)};
  }
  if (const auto* at = std::get_if<At>(&rule_)) {
    Gaps gaps{last_, 0};
    for (std::size_t k = 1; k < at->steps.size(); ++k) {
      const std::int64_t gap = at->steps[k] - at->steps[k - 1];
      gaps = {std::min(gaps.least, gap), std::max(gaps.greatest, gap)};
    }
    return gaps;
  }
  const std::int64_t intervals = std::get<Evenly>(rule_).count - 1, gap = last_ / intervals;
  return {gap, last_ % intervals == 0 ? gap : gap + 1};
}

}  // namespace orrery::pipeline
