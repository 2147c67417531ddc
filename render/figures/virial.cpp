// SPDX-License-Identifier: MIT
// The figure "virial": 2T/|W| over time, which is 1 where bodies are in equilibrium.
#include <algorithm>
#include <cmath>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart;
  chart.x = time_axis(info);
  chart.y.name = "2T/|W|";
  chart.empty =
      info.series.empty() || info.series.front().time.empty() ? "no observables were kept" : "no forces are felt";
  for (const Series& s : info.series) {
    if (!s.time.empty()) {
      const auto [from, to] = std::ranges::minmax(s.time);
      chart.x.limits = Interval{from, to};
    }
    chart.curves.push_back({.x = s.time, .y = s.values[0], .time = s.time});
  }
  // Where there is no ratio there is nothing to compare with equilibrium either.
  const auto none = [](const Curve& curve) {
    return std::ranges::none_of(curve.y, [](double ratio) { return std::isfinite(ratio); });
  };
  if (!chart.x.limits || std::ranges::all_of(chart.curves, none)) return {chart};
  // Equilibrium is in the picture, though axes do not stretch for a guide.
  double low = 1, high = 1;
  for (const double ratio : chart.curves.front().y) {
    if (!std::isfinite(ratio)) continue;
    if (ratio > 0) low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  chart.y.logarithmic = high > 20;  // bodies that have come loose
  const double air = std::max(0.08 * (high - low), 0.01);
  chart.y.limits =
      chart.y.logarithmic ? Interval{low / 1.3, high * 1.3} : Interval{std::max(0.0, low - air), high + air};
  Curve guide{.x = {chart.x.limits->low, chart.x.limits->high}, .y = {1, 1}, .stroke = Curve::Stroke::dashed};
  guide.note = "equilibrium";
  chart.curves.push_back(guide);
  return {chart};
}

}  // namespace

extern const FigureKind virial{
    .name = "virial",
    .meaning = "2T/|W| over time about the centre of mass, W = Σ m x·a: 1 is equilibrium, whatever the forces",
    .parameters = {},
    .needs_frames = false,
    .make = make_plot<charts_of>};

}  // namespace orrery::render
