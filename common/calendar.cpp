// SPDX-License-Identifier: MIT
// Sources: days of the Gregorian calendar as in Meeus, "Astronomical Algorithms" (1998), chapter 7, with years from March on; TAI − UTC:
// IERS Bulletin C 52 and before; TT = TAI + 32.184 s: IAU 1991 resolution A4; |TDB − TT| < 2 ms: IAU 2006 resolution B3; Julian epochs
// J2000.0 = JD 2451545.0 with 365.25 days a year: IAU 1976 (Lieske 1979, A&A 73, 282).
#include "common/calendar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace orrery {
namespace {

constexpr double day_length = 86400;
constexpr std::int64_t zero_julian = -2400001, zero_unix = 40587, zero_2000 = 51544;

/// TAI − UTC in seconds from a day on.
struct LeapSecond {
  CalendarDay from;
  double tai_minus_utc;
};
constexpr LeapSecond leap_seconds[] = {{{1972, 1, 1}, 10}, {{1972, 7, 1}, 11}, {{1973, 1, 1}, 12}, {{1974, 1, 1}, 13},
                                       {{1975, 1, 1}, 14}, {{1976, 1, 1}, 15}, {{1977, 1, 1}, 16}, {{1978, 1, 1}, 17},
                                       {{1979, 1, 1}, 18}, {{1980, 1, 1}, 19}, {{1981, 7, 1}, 20}, {{1982, 7, 1}, 21},
                                       {{1983, 7, 1}, 22}, {{1985, 7, 1}, 23}, {{1988, 1, 1}, 24}, {{1990, 1, 1}, 25},
                                       {{1991, 1, 1}, 26}, {{1992, 7, 1}, 27}, {{1993, 7, 1}, 28}, {{1994, 7, 1}, 29},
                                       {{1996, 1, 1}, 30}, {{1997, 7, 1}, 31}, {{1999, 1, 1}, 32}, {{2006, 1, 1}, 33},
                                       {{2009, 1, 1}, 34}, {{2012, 7, 1}, 35}, {{2015, 7, 1}, 36}, {{2017, 1, 1}, 37}};

[[noreturn]] void refuse(std::string_view text, const std::string& why = "") {
  throw std::invalid_argument(
      "\"" + std::string(text.substr(0, 60)) + "\" is not a date" + why +
      ": write \"2026-11-27\", \"2026-11-27 18:30\", \"JD 2461371.5\" or \"J2000\"; a time scale may "
      "follow: TDB (the default), TT or UTC");
}

/// Removes one or more digits and returns their number.
std::optional<std::int64_t> take_whole(std::string_view& rest, std::size_t fewest, std::size_t most) {
  std::size_t digits = 0;
  while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
  if (digits < fewest || digits > most) return std::nullopt;
  std::int64_t value = 0;
  std::from_chars(rest.data(), rest.data() + digits, value);
  rest.remove_prefix(digits);
  return value;
}

/// Removes ".25", if there is a part after the point, and returns it.
double take_fraction(std::string_view& rest) {
  if (!rest.starts_with('.')) return 0;
  std::size_t end = 1;
  while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9') ++end;
  double value = 0;
  std::from_chars(rest.data(), rest.data() + end, value);
  rest.remove_prefix(end);
  return value;
}

bool take(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  return true;
}

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
}

/// A day and a part of it that may be negative or more than a day.
Date normalised(std::int64_t day, double seconds) {
  const double days = std::floor(seconds / day_length);
  seconds -= days * day_length;
  day += static_cast<std::int64_t>(days);
  if (seconds >= day_length) ++day, seconds = 0;  // by rounding
  return {day, seconds};
}

/// Removes a Julian date, a Modified one or a Julian epoch.
std::optional<Date> take_julian(std::string_view& rest) {
  const bool modified = take(rest, "MJD"), julian = !modified && take(rest, "JD");
  if (!modified && !julian && !take(rest, "J")) return std::nullopt;
  if (modified || julian) skip_blanks(rest);
  const auto whole = take_whole(rest, 1, 9);
  if (!whole) return std::nullopt;
  const double part = take_fraction(rest);
  if (modified) return normalised(*whole, part * day_length);
  if (julian) return normalised(*whole + zero_julian, (part + 0.5) * day_length);
  const double days = (static_cast<double>(*whole - 2000) + part) * 365.25, before = std::floor(days);
  return normalised(zero_2000 + static_cast<std::int64_t>(before), (days - before + 0.5) * day_length);
}

/// Removes "18:30" or "18:30:15.5" and returns it in seconds.
std::optional<double> take_time(std::string_view& rest) {
  const auto hour = take_whole(rest, 2, 2);
  if (!hour || *hour > 23 || !take(rest, ":")) return std::nullopt;
  const auto minute = take_whole(rest, 2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double second = 0;
  if (take(rest, ":")) {
    const auto whole = take_whole(rest, 2, 2);
    if (!whole || *whole > 59) return std::nullopt;
    second = static_cast<double>(*whole) + take_fraction(rest);
  }
  return static_cast<double>(*hour * 3600 + *minute * 60) + second;
}

/// Removes a day of the calendar and a time of that day.
std::optional<Date> take_calendar(std::string_view& rest) {
  const bool before = take(rest, "-");
  if (!before) take(rest, "+");
  const auto year = take_whole(rest, 4, 6);
  if (!year || !take(rest, "-")) return std::nullopt;
  const auto month = take_whole(rest, 2, 2);
  if (!month || !take(rest, "-")) return std::nullopt;
  const auto day = take_whole(rest, 2, 2);
  if (!day) return std::nullopt;
  const CalendarDay date{before ? -*year : *year, static_cast<unsigned>(*month), static_cast<unsigned>(*day)};
  const std::int64_t number = day_number(date);
  const CalendarDay back = calendar_day(number);
  if (back.month != date.month || back.day != date.day) return std::nullopt;  // 31 April, month 13
  if (rest.size() < 2 || (rest[0] != 'T' && rest[0] != ' ') || rest[1] < '0' || rest[1] > '9') return Date{number, 0};
  rest.remove_prefix(1);
  const auto seconds = take_time(rest);
  return seconds ? std::optional(Date{number, *seconds}) : std::nullopt;
}

std::string padded(std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

/// The digits of the part of a second after the point, ".5", as many as make the same number of seconds of the day again.
std::string fraction_of(double seconds) {
  const double whole = std::floor(seconds), minute = std::floor(whole / 60) * 60;
  std::array<char, 32> buffer;
  for (int places = 0; places <= 15; ++places) {
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), seconds - whole, std::chars_format::fixed, places);
    double read = 0;
    std::from_chars(buffer.data(), end, read);
    if (read < 1 && minute + ((whole - minute) + read) == seconds) return {buffer.data() + 1, end};
  }
  return "";
}

Date from_utc(const Date& utc, std::string_view text) {
  const auto* after =
      std::ranges::upper_bound(leap_seconds, utc.day, {}, [](const LeapSecond& leap) { return day_number(leap.from); });
  if (after == std::begin(leap_seconds)) refuse(text, " with leap seconds, which UTC has since 1972");
  return later(utc, std::prev(after)->tai_minus_utc + 32.184);
}

}  // namespace

Date parse_date(std::string_view text) {
  std::string_view rest = text;
  skip_blanks(rest);
  const auto date = rest.starts_with('J') || rest.starts_with('M') ? take_julian(rest) : take_calendar(rest);
  if (!date) refuse(text);
  skip_blanks(rest);
  rest = rest.substr(0, rest.find_last_not_of(' ') + 1);
  if (rest == "UTC" || rest == "Z") return from_utc(*date, text);
  if (!rest.empty() && rest != "TDB" && rest != "TT")
    refuse(text, " with \"" + std::string(rest.substr(0, 60)) + "\" after it");
  return *date;
}

std::string to_text(const Date& date) {
  const CalendarDay day = calendar_day(date.day);
  std::string text =
      (day.year < 0 ? "-" : "") + padded(std::abs(day.year), 4) + "-" + padded(day.month, 2) + "-" + padded(day.day, 2);
  if (date.seconds != 0) {
    const auto whole = static_cast<int>(date.seconds);
    text += " " + padded(whole / 3600, 2) + ":" + padded(whole / 60 % 60, 2) + ":" + padded(whole % 60, 2) +
            fraction_of(date.seconds);
  }
  return text + " TDB";
}

double seconds_between(const Date& a, const Date& b) {
  return static_cast<double>(b.day - a.day) * day_length + (b.seconds - a.seconds);
}

Date later(const Date& date, double seconds) {
  const double days = std::floor(seconds / day_length);
  return normalised(date.day + static_cast<std::int64_t>(days), date.seconds + (seconds - days * day_length));
}

CalendarDay calendar_day(std::int64_t day) {
  // Years begin in March, so that the day that may be missing is their last; 400 years have 146097 days.
  const std::int64_t days = day - zero_unix + 719468;  // since 1 March of year 0
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
  return {.year = year + era * 400 + (month >= 10 ? 1 : 0),
          .month = static_cast<unsigned>(month < 10 ? month + 3 : month - 9),
          .day = static_cast<unsigned>(of_year - (153 * month + 2) / 5 + 1)};
}

std::int64_t day_number(const CalendarDay& day) {
  const std::int64_t year = day.year - (day.month <= 2 ? 1 : 0);
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
  const std::int64_t month = day.month > 2 ? day.month - 3 : day.month + 9;
  const std::int64_t of_year = (153 * month + 2) / 5 + day.day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468 + zero_unix;
}

}  // namespace orrery
