// SPDX-License-Identifier: MIT
// The choice goes by the greatest time that a picture shows, so that it stays the same throughout a film.
#include "pipeline/pictures/shown_time.hpp"

#include <algorithm>
#include <cmath>

#include "pipeline/named_unit.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view own_unit = "own";

}  // namespace

void refuse_unknown_time_unit(const Section& keys, const Subject& subject) {
  if (!keys.given("time_unit") || keys->text("time_unit") == own_unit || in_si(subject.time_unit)) return;
  keys.complain("time_unit",
                "this run's unit of time is a pure number: set `units = \"si\"`, \"astronomical\" or "
                "\"galactic\" at the top of the file, or leave `time_unit` out");
}

void choose_time_unit(render::RunInfo& info, const Section& keys, const std::string& own) {
  const auto unit = in_si(own);
  if (!unit) return;
  const std::string asked = keys.given("time_unit") ? keys->text("time_unit") : "";
  const double largest = std::max(std::abs(info.start), std::abs(info.end));
  if (asked == own_unit || (asked.empty() && largest == 0)) return;
  const NamedUnit* shown = unit_named(asked.empty() ? readable_time_unit(largest, own) : asked, Dimension::time);
  info.time_unit = shown->symbol == "us" ? "µs" : shown->symbol;
  info.time_unit_length = (shown->si / *unit).value();
}

}  // namespace orrery::pipeline
