// SPDX-License-Identifier: MIT
// The figure "energy": kinetic, potential and total energy over time.
#include <algorithm>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

/// One series each, which are the curves' names; what is to be said of all of them is the first one's `about`.
std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart;
  chart.x = time_axis(info);
  chart.y = {.name = "energy", .unit = info.energy_unit};
  chart.empty = "no observables were kept";
  for (const Series& s : info.series) {
    if (!s.about.empty()) chart.title = s.about;
    chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[0], .time = s.time});
    if (s.time.empty()) continue;
    const auto [from, to] = std::ranges::minmax(s.time);
    chart.x.limits = Interval{from, to};
  }
  return {chart};
}

}  // namespace

extern const FigureKind energy{.name = "energy",
                               .meaning = "kinetic, potential and total energy over time",
                               .parameters = {},
                               .needs_frames = false,
                               .make = make_plot<charts_of>};

}  // namespace orrery::render
