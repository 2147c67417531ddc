// SPDX-License-Identifier: MIT
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 4> coordinates{"x", "y", "z", "r"};

constexpr std::array parameters{
    optional_key("body", Kind::number_or_text, "\"0\"",
                 "body, by name, number from 0 or range, \"0:9\"; default: body 0"),
    bodies_key("several bodies, by name or number from 0, at most 13; replaces `body`"),
    choice_key("coordinate", "\"x\"", coordinates, "coordinate; r is the distance from the origin"),
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

extern const FigureKind phase =
    plot_kind<charts_of>("phase", "rate of change of a coordinate over that coordinate, body by body", parameters);

}  // namespace orrery::render
