// SPDX-License-Identifier: MIT
#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

/// One curve per series; `about` of one of them becomes the title.
std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart = chart_over_time(info, {.name = "energy", .unit = info.energy_unit}, "no observables were kept");
  for (const Series& s : info.series) {
    if (!s.about.empty()) chart.title = s.about;
  }
  cover_times(chart, info.series);
  return {chart};
}

}  // namespace

extern const FigureKind energy = plot_kind<charts_of>("energy", "kinetic, potential and total energy over time");

}  // namespace orrery::render
