// SPDX-License-Identifier: MIT
// The figure "phase": one body's coordinate and how fast it changes; what repeats is a closed curve.
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 4> coordinates{"x", "y", "z", "r"};

constexpr std::array parameters{
    Parameter{.name = "body",
              .kind = Kind::number_or_text,
              .example = "\"0\"",
              .meaning = "whose: its name, or its number, counted from 0; left out, that of number 0",
              .optional = true},
    bodies_key("whose, of several, [\"Sun\", \"2\"]: names, or numbers from 0, at most 13; in place of `body`"),
    Parameter{.name = "coordinate",
              .kind = Kind::text,
              .fallback = "\"x\"",
              .meaning = "x | y | z | r: which one; r is the distance from the origin",
              .choices = coordinates},
};

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::string& coordinate = arguments.text("coordinate");
  Chart chart;
  const std::string whose = info.series.size() != 1 ? "" : " of " + info.series.front().name;
  chart.x = {.name = coordinate + whose, .unit = info.length_unit};
  chart.y = {.name = "d" + coordinate + "/dt", .unit = info.speed_unit};
  for (const Series& s : info.series) {
    chart.curves.push_back({.name = info.series.size() > 1 ? s.name : "",
                            .x = s.values[0],
                            .y = s.values[1],
                            .time = s.time,
                            .bodies = s.bodies});
  }
  return {chart};
}

}  // namespace

extern const FigureKind phase{.name = "phase",
                              .meaning = "a coordinate of one body against its velocity",
                              .parameters = parameters,
                              .needs_frames = false,
                              .make = make_plot<charts_of>};

}  // namespace orrery::render
