// SPDX-License-Identifier: MIT
#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

/// One curve per series; `about` of one of them becomes the title.
std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart;
  chart.x = time_axis(info);
  chart.y = {.name = "energy", .unit = info.energy_unit};
  chart.empty = "no observables were kept";
  for (const Series& s : info.series) {
    if (!s.about.empty()) chart.title = s.about;
    chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[0], .time = s.time});
    cover_times(chart, s);
  }
  return {chart};
}

}  // namespace

extern const FigureKind energy = plot_kind<charts_of>("energy", "kinetic, potential and total energy over time");

}  // namespace orrery::render
