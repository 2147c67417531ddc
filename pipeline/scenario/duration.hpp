// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/calendar.hpp"
#include "common/parameter.hpp"
#include "pipeline/named_unit.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// The units of time of a run.
struct TimeUnits {
  double timescale = 0;         ///< of the initial state; 0: it has none
  std::string unit{};           ///< unit of time as H5MD writes it; empty: dimensionless
  std::optional<Date> epoch{};  ///< of t = 0
};

/// numerator / denominator in the run's unit of time, in timescales of the initial state, or in `unit`; or the time from the epoch to a
/// date.
struct Duration {
  double numerator = 0;
  double denominator = 1;
  bool of_timescale = false;
  const NamedUnit* unit = nullptr;
  std::optional<Date> date{};

  /// The time in the run's unit. Multiplies before it divides, so that it is rounded once if the product is exact. Throws
  /// std::invalid_argument if it needs a timescale or a unit of time that the run does not have.
  [[nodiscard]] double in_time(const TimeUnits& units) const;
};

/// Parses number [/ number] [unit]: 0.01, "1/1000 period", "20 periods", "0.5 crossing times", "1 hour", "2 Myr"; and dates as parse_date,
/// which "until " may precede. Throws std::invalid_argument.
Duration parse_duration(const Value& value);

/// The value of a time key, which must be present. Throws Error, Fault::request, with its location.
double time_of(const Section& section, std::string_view key, const TimeUnits& units);
/// The same for `value`, which is located at `key`.
double time_of(const Section& section, std::string_view key, const Value& value, const TimeUnits& units);
/// The same for a key that holds a list of times.
std::vector<double> times_of(const Section& section, std::string_view key, const TimeUnits& units);

}  // namespace orrery::pipeline
