// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "render/canvas/text.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::render {
namespace {

/// What ticks begin, and how many of it lie between them.
struct DateStep {
  enum class Of { seconds, days, months, years } of;
  std::int64_t count;

  /// About so many seconds.
  [[nodiscard]] double length() const {
    static constexpr double lengths[] = {1, 86400, 2629800, 31557600};
    return static_cast<double>(count) * lengths[static_cast<std::size_t>(of)];
  }
};

/// Steps from finer to coarser ones. Days of a month are counted from the first: 1, 6, 11 … 26 for five, 1 and 16 for fifteen.
std::vector<DateStep> date_steps() {
  using enum DateStep::Of;
  std::vector<DateStep> all;
  for (const std::int64_t count : {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200})
    all.push_back({seconds, count});
  for (const std::int64_t count : {1, 2, 5, 10, 15}) all.push_back({days, count});
  for (const std::int64_t count : {1, 2, 3, 6}) all.push_back({months, count});
  for (std::int64_t decade = 1; decade <= 1'000'000'000'000; decade *= 10)
    for (const std::int64_t leading : {1, 2, 5}) all.push_back({years, leading * decade});
  return all;
}

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

/// The first tick at or before a date.
Date tick_before(const Date& date, const DateStep& step) {
  const CalendarDay day = calendar_day(date.day);
  switch (step.of) {
    case DateStep::Of::seconds:
      return {date.day, static_cast<double>(floor_to(static_cast<std::int64_t>(date.seconds), step.count))};
    case DateStep::Of::days:
      return {day_number({day.year, day.month, 1}), 0};
    case DateStep::Of::months:
      return {day_number({day.year, static_cast<unsigned>(floor_to(day.month - 1, step.count) + 1), 1}), 0};
    default:
      return {day_number({floor_to(day.year, step.count), 1, 1}), 0};
  }
}

Date tick_after(const Date& tick, const DateStep& step) {
  if (step.of == DateStep::Of::seconds) return later(tick, static_cast<double>(step.count));
  CalendarDay day = calendar_day(tick.day);
  if (step.of == DateStep::Of::days) {
    // The next month begins the steps anew: no tick is much closer to its first day than a step.
    const Date next{tick.day + step.count, 0};
    const std::int64_t month_after = day_number({day.year + day.month / 12, day.month % 12 + 1, 1});
    if (10 * (month_after - next.day) >= 6 * step.count) return next;
    day.day = 1;
  }
  const auto months = step.of == DateStep::Of::months ? step.count : step.of == DateStep::Of::days ? 1 : 0;
  const std::int64_t month = day.month - 1 + months;
  return {day_number({day.year + month / 12 + (step.of == DateStep::Of::years ? step.count : 0),
                      static_cast<unsigned>(month % 12 + 1), 1}),
          0};
}

std::string label_of(const Date& tick, const DateStep& step) {
  const CalendarDay day = calendar_day(tick.day);
  std::string text = fmt::format("{}{:04}", day.year < 0 ? "−" : "", std::abs(day.year));
  if (step.of == DateStep::Of::years) return text;
  text += fmt::format("-{:02}", day.month);
  if (step.of == DateStep::Of::months) return text;
  if (step.of == DateStep::Of::days || tick.seconds == 0) return text + fmt::format("-{:02}", day.day);
  const auto seconds = static_cast<int>(tick.seconds);
  return fmt::format("{:02}:{:02}", seconds / 3600, seconds / 60 % 60) +
         (step.count < 60 ? fmt::format(":{:02}", seconds % 60) : "");
}

std::vector<Date> ticks_within(Interval limits, const DateScale& dates, const DateStep& step) {
  std::vector<Date> all;
  const double slack = 1e-9 * limits.length();
  for (Date tick = tick_before(dates.at(limits.low), step); dates.time_of(tick) <= limits.high + slack;
       tick = tick_after(tick, step)) {
    if (dates.time_of(tick) >= limits.low - slack) all.push_back(tick);
  }
  return all;
}

}  // namespace

Ticks date_ticks(Interval limits, const DateScale& dates, float length, float text_size) {
  constexpr double most = 40;
  const double span = limits.length() * dates.seconds;
  const std::vector<DateStep> steps = date_steps();
  if (!(span > 0) || !(std::abs(limits.low) * dates.seconds < 1e19) || !(std::abs(limits.high) * dates.seconds < 1e19))
    return {};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (span / steps[k].length() > most) continue;
    Ticks ticks;
    ticks.name = "date (TDB)";
    const std::vector<Date> at = ticks_within(limits, dates, steps[k]);
    if (at.size() < 2) return {};
    bool midnight = false;
    for (const Date& tick : at) {
      ticks.at.push_back(dates.time_of(tick));
      ticks.labels.push_back(label_of(tick, steps[k]));
      midnight = midnight || tick.seconds == 0;
    }
    double nearest = limits.length();
    for (std::size_t i = 1; i < at.size(); ++i) nearest = std::min(nearest, ticks.at[i] - ticks.at[i - 1]);
    const double room = nearest / limits.length() * static_cast<double>(length);
    if (room < static_cast<double>(widest_of(ticks.labels, text_size) + 0.9F * text_size)) continue;
    if (!midnight) ticks.name += ", " + label_of({at.front().day, 0}, steps[k]);
    // A step that divides this one, if its marks are not too close.
    for (std::size_t finer = k; finer-- > 0;) {
      const bool divides = steps[finer].of == steps[k].of
                               ? steps[k].count % steps[finer].count == 0
                               : steps[finer].count == 1 || steps[finer].of == DateStep::Of::seconds;
      if (!divides || steps[k].length() / steps[finer].length() < 1.9) continue;
      if (room * steps[finer].length() / steps[k].length() < 0.5 * static_cast<double>(text_size)) break;
      for (const Date& tick : ticks_within(limits, dates, steps[finer])) {
        const double place = dates.time_of(tick);
        if (std::ranges::none_of(ticks.at, [&](double one) { return std::abs(one - place) < 1e-9 * limits.length(); }))
          ticks.minor.push_back(place);
      }
      break;
    }
    return ticks;
  }
  return {};
}

}  // namespace orrery::render
