// SPDX-License-Identifier: MIT
#include "pipeline/scenario/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace orrery::pipeline {
namespace {

constexpr std::string_view timescales[] = {"period",   "periods",   "crossing time",  "crossing times",
                                           "rotation", "rotations", "free-fall time", "free-fall times"};

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
}

/// Removes a finite number and the blanks around it from `rest`.
std::optional<double> take_number(std::string_view& rest) {
  skip_blanks(rest);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  skip_blanks(rest);
  return value;
}

[[noreturn]] void refuse_time(std::string_view text, std::string_view unit) {
  std::vector<std::string_view> words(std::begin(timescales), std::end(timescales));
  for (const std::string_view word : words_for(Dimension::time)) words.push_back(word);
  throw std::invalid_argument(
      fmt::format("\"{}\" is not a time: write a number, \"1/1000 period\", \"20 periods\", \"5 crossing times\", "
                  "\"3 rotations\", \"2 free-fall times\"; or, with `units`, \"1 hour\", \"30 days\", "
                  "\"3 years\", \"2 Myr\"; or, with `epoch`, \"until 2031-01-01\"{}",
                  text, unit.empty() ? "" : suggestion(unit, words)));
}

/// Whether a text is meant to be a date: "2031-01-01", "JD …", "J2000", "until …".
bool looks_like_date(std::string_view text) {
  const auto digits = [&](std::size_t at, std::size_t count) {
    return text.size() >= at + count &&
           std::ranges::all_of(text.substr(at, count), [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return text.starts_with("until ") || text.starts_with("JD") || text.starts_with("MJD") ||
         (text.starts_with('J') && digits(1, 1)) ||
         (digits(sign, 4) && text.find('-', sign + 4) < sign + 7 && text.find(' ') > text.find('-', sign + 4));
}

Date date_in(std::string_view text) {
  if (text.starts_with("until ")) text.remove_prefix(6);
  return parse_date(text);
}

/// The time from the epoch to a date, in days if those are whole, else in seconds.
Duration since_epoch(const Date& date, const TimeUnits& units) {
  if (!units.epoch)
    throw std::invalid_argument(
        "a date needs that of t = 0: set `epoch`, for example \"2026-11-27\", at the top of the file");
  const double seconds = seconds_between(*units.epoch, date);
  const bool days = units.epoch->seconds == date.seconds;
  return {.numerator = days ? static_cast<double>(date.day - units.epoch->day) : seconds,
          .unit = unit_named(days ? "d" : "s", Dimension::time)};
}

}  // namespace

double Duration::in_time(const TimeUnits& units) const {
  if (date) return since_epoch(*date, units).in_time(units);
  if (of_timescale) {
    if (!(units.timescale > 0))
      throw std::invalid_argument("the initial state has no timescale: write the time as a number");
    return numerator * units.timescale / denominator;
  }
  if (unit == nullptr) return numerator / denominator;
  const std::optional<Ratio> own = in_si(units.unit);
  if (!own) {
    throw std::invalid_argument(
        fmt::format("a time in {}s needs a unit of time: set `units = \"si\"`, \"astronomical\" or \"galactic\" at the "
                    "top of the file, or write the time as a number",
                    unit->name));
  }
  const Ratio in_own = unit->si / *own;
  return numerator * in_own.times / (denominator * in_own.per);
}

Duration parse_duration(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return {.numerator = *number};
  const auto& text = std::get<std::string>(value);
  if (looks_like_date(text)) return {.date = date_in(text)};
  std::string_view rest = text;
  const auto numerator = take_number(rest);
  std::optional<double> denominator = 1.0;
  if (numerator && rest.starts_with('/')) {
    rest.remove_prefix(1);
    denominator = take_number(rest);
  }
  if (!numerator || !denominator || *denominator == 0) refuse_time(text, "");
  const std::string_view unit = rest.substr(0, rest.find_last_not_of(' ') + 1);
  const Duration duration{.numerator = *numerator,
                          .denominator = *denominator,
                          .of_timescale = std::ranges::find(timescales, unit) != std::end(timescales),
                          .unit = unit_named(unit, Dimension::time)};
  if (!unit.empty() && !duration.of_timescale && duration.unit == nullptr) refuse_time(text, unit);
  return duration;
}

double time_of(const Section& section, std::string_view key, const TimeUnits& units) {
  return time_of(section, key, *section->find(key), units);
}

std::vector<double> times_of(const Section& section, std::string_view key, const TimeUnits& units) {
  const Value& value = *section->find(key);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return *numbers;
  std::vector<double> times;
  for (const std::string& text : std::get<std::vector<std::string>>(value))
    times.push_back(time_of(section, fmt::format("{}[{}]", key, times.size()), text, units));
  return times;
}

double time_of(const Section& section, std::string_view key, const Value& value, const TimeUnits& units) {
  try {
    const double time = parse_duration(value).in_time(units);
    if (!std::isfinite(time)) section.complain(key, fmt::format("`{}` is out of range", key));
    return time;
  } catch (const std::invalid_argument& error) {
    section.complain(key, error.what());
  }
}

}  // namespace orrery::pipeline
