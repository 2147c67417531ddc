// SPDX-License-Identifier: MIT
#include "pipeline/scenario/units.hpp"

#include "pipeline/named_unit.hpp"

namespace orrery::pipeline {

std::optional<sim::SystemOfUnits> in_si(const Units& units) {
  const auto value = [](std::string_view unit) { return in_si(std::string(unit))->value(); };
  if (units.length.empty()) return std::nullopt;
  return sim::SystemOfUnits{.length = value(units.length), .mass = value(units.mass), .time = value(units.time)};
}

}  // namespace orrery::pipeline
