// SPDX-License-Identifier: MIT
// Times as scenarios write them: a number, so many periods of the initial state, or so many hours, days, years.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/named_unit.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// What a run counts its times in.
struct TimeUnits {
  double timescale = 0;  ///< of the initial state; 0: it has none
  std::string unit{};    ///< of time, as H5MD writes it; empty: a pure number, of which no hour is known
};

/// numerator / denominator, in the run's own unit of time, in the initial state's timescale, or in a named unit.
struct Duration {
  double numerator = 0;
  double denominator = 1;
  bool of_timescale = false;
  const NamedUnit* unit = nullptr;

  /// The time itself: the product first, the quotient last, so that it is rounded once where the product is a double. Throws
  /// std::invalid_argument where the run has no timescale, or its unit of time is not known.
  [[nodiscard]] double in_time(const TimeUnits& units) const;
};

/// Reads 0.01, "1/1000 period", "20 periods", "0.5 crossing times", "1 hour", "30 days", "2 Myr". Throws
/// std::invalid_argument that says what is wrong.
Duration parse_duration(const Value& value);

/// The time that a key of `section` holds, which must be there. Throws Error, exit code 2, with the key's place.
double time_of(const Section& section, std::string_view key, const TimeUnits& units);
/// The same of a `value` that stands at `key`.
double time_of(const Section& section, std::string_view key, const Value& value, const TimeUnits& units);
/// Those of a key that holds a list of times, numbers or texts.
std::vector<double> times_of(const Section& section, std::string_view key, const TimeUnits& units);

}  // namespace orrery::pipeline
