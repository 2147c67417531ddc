// SPDX-License-Identifier: MIT
// Dates: calendar and Julian dates, and the time scale that they are in.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

/// A moment of barycentric dynamical time (TDB), as a day and a part of it, so that distances of days are exact.
struct Date {
  std::int64_t day = 0;  ///< Modified Julian Day, JD − 2400000.5
  double seconds = 0;    ///< since its beginning, in [0, 86400)

  /// To 40 µs, the precision of a double.
  [[nodiscard]] double julian_date() const { return static_cast<double>(day) + seconds / 86400 + 2400000.5; }

  friend auto operator<=>(const Date&, const Date&) = default;
};

/// A day of the Gregorian calendar, which also holds before 1582 (ISO 8601): year 0 is before year 1.
struct CalendarDay {
  std::int64_t year = 0;
  unsigned month = 1, day = 1;
};

/// Reads "2026-11-27", "2026-11-27 18:30", "2026-11-27T18:30:15.5", "JD 2461371.5", "MJD 61371", "J2000" or "J2015.5", each with an
/// optional time scale after it: TDB (the default), TT or UTC ("Z" too). TT is taken for TDB, from which it differs by less than 2 ms. UTC needs
/// a date from 1972 on, and takes later leap seconds than those of the table in calendar.cpp for absent. Throws std::invalid_argument.
Date parse_date(std::string_view text);

/// "2026-11-27 TDB" or "2026-11-27 18:30:15.5 TDB", which parse_date reads as the same date.
std::string to_text(const Date& date);

/// The time from `a` to `b` in seconds; exact for whole seconds up to 2⁵³.
double seconds_between(const Date& a, const Date& b);
Date later(const Date& date, double seconds);

/// The dates of times.
struct DateScale {
  Date epoch;          ///< of time 0
  double seconds = 1;  ///< in one unit of time

  [[nodiscard]] Date at(double time) const { return later(epoch, time * seconds); }
  [[nodiscard]] double time_of(const Date& date) const { return seconds_between(epoch, date) / seconds; }
};

/// Of a Modified Julian Day, and back.
CalendarDay calendar_day(std::int64_t day);
std::int64_t day_number(const CalendarDay& day);

}  // namespace orrery
