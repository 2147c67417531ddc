// SPDX-License-Identifier: MIT
#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  std::vector<Chart> charts;
  for (const Series& s : info.series) {
    if (s.time.empty() && !charts.empty()) continue;
    if (!charts.empty() && charts.front().curves.empty()) charts.clear();
    Chart& chart = charts.emplace_back();
    chart.x = time_axis(info);
    chart.empty = "no observables were kept";
    chart.y.name = s.name == "energy" ? "E/N" : s.name;
    chart.y.unit = s.name == "pressure" ? "" : info.energy_unit;
    if (s.time.empty()) continue;
    cover_times(chart, {&s, 1});
    chart.curves.push_back({.x = s.time, .y = s.values[0], .time = s.time});
  }
  if (charts.empty()) charts.emplace_back();
  return charts;
}

}  // namespace

extern const FigureKind thermodynamics =
    plot_kind<charts_of>("thermodynamics", "temperature, pressure and energy per body over time");

}  // namespace orrery::render
