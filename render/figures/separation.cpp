// SPDX-License-Identifier: MIT
// The figure "separation": how far bodies are apart over time; a close encounter is a dip.
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> scales{"auto", "linear", "log"};

constexpr std::array parameters{
    bodies_key("whose distances, [\"Sun\", \"2\"]: names, or numbers from 0, at most five; left out, all"),
    Parameter{.name = "scale",
              .kind = Kind::text,
              .fallback = "\"auto\"",
              .meaning = "of the distance; auto: logarithmic where it spans decades",
              .choices = scales},
};

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::string& scale = arguments.text("scale");
  Chart chart;
  chart.x = time_axis(info);
  chart.y = {.name = "distance", .unit = info.length_unit};
  for (const Series& s : info.series) {
    chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[0], .time = s.time, .bodies = s.bodies});
  }
  if (chart.curves.size() == 1) {  // the axis says whose it is
    chart.y.name += " " + chart.curves.front().name;
    chart.curves.front().name.clear();
  }
  chart.y.logarithmic = scale == "log" || (scale == "auto" && spans_decades(chart.curves));
  return {chart};
}

}  // namespace

extern const FigureKind separation{
    .name = "separation",
    .meaning = "the distance between bodies over time; between frames, where it is least by a Hermite curve",
    .parameters = parameters,
    .needs_frames = false,
    .make = make_plot<charts_of>};

}  // namespace orrery::render
