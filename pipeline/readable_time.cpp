// SPDX-License-Identifier: MIT
// The table of named units has times from the shortest to the longest.
#include "pipeline/readable_time.hpp"

#include <fmt/format.h>

#include <cmath>

#include "pipeline/named_unit.hpp"

namespace orrery::pipeline {

std::string_view readable_time_unit(double largest, const std::string& own) {
  const auto unit = in_si(own);
  if (!unit) return "";
  const double seconds = largest * unit->value();
  std::string_view best = "s";
  bool fits = false;
  for (const NamedUnit& named : named_units()) {  // from the smallest on
    if (named.dimension != Dimension::time) continue;
    const double number = seconds / named.si.value();
    if (number >= 2 || (number >= 1 && !fits)) best = named.symbol;
    fits = number >= 1 && number < 1000;
  }
  return best;
}

std::string in_readable_unit(double time, const std::string& own) {
  const std::string_view symbol = readable_time_unit(std::abs(time), own);
  if (symbol.empty() || symbol == own || time == 0) return "";
  return fmt::format(" ({:.4g} {})", time / (unit_named(symbol, Dimension::time)->si / *in_si(own)).value(), symbol);
}

}  // namespace orrery::pipeline
