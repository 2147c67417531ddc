// SPDX-License-Identifier: MIT
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> scales{"auto", "linear", "log"};

constexpr std::array parameters{
    bodies_key("bodies whose distances are shown, by name, number from 0 or range, \"0:9\", at most 5; default: all"),
    choice_key("scale", "\"auto\"", scales, "scale of the distance; auto: log if it spans more than two decades"),
};

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::string& scale = arguments.text("scale");
  Chart chart = chart_over_time(info, {.name = "distance", .unit = info.length_unit});
  if (chart.curves.size() == 1) {  // the label of the axis names the bodies
    chart.y.name += " " + chart.curves.front().name;
    chart.curves.front().name.clear();
  }
  chart.y.logarithmic = scale == "log" || (scale == "auto" && spans_decades(chart.curves));
  return {chart};
}

}  // namespace

extern const FigureKind separation = plot_kind<charts_of>(
    "separation", "distance between bodies over time, with minima between frames found by Hermite interpolation",
    parameters);

}  // namespace orrery::render
