// SPDX-License-Identifier: MIT
// Times as scenarios write them: a number, or so many periods of the initial state.
#pragma once

#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// numerator / denominator, in units of time or of the initial state's timescale.
struct Duration {
  double numerator = 0;
  double denominator = 1;
  bool of_timescale = false;

  /// The time itself; `timescale` is that of the initial state.
  [[nodiscard]] double in_time(double timescale) const {
    return of_timescale ? numerator * timescale / denominator : numerator / denominator;
  }
};

/// Reads 0.01, "1/1000 period", "20 periods", "0.5 crossing times". Throws std::invalid_argument that says
/// what is wrong.
Duration parse_duration(const Value& value);

/// The time that a key of `section` holds, which must be there; `timescale` is that of the initial state, 0
/// where it has none. Throws Error, exit code 2, with the key's place.
double time_of(const Section& section, std::string_view key, double timescale);
/// The same of a `value` that stands at `key`.
double time_of(const Section& section, std::string_view key, const Value& value, double timescale);
/// Those of a key that holds a list of times, numbers or texts.
std::vector<double> times_of(const Section& section, std::string_view key, double timescale);

}  // namespace orrery::pipeline
