// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart = chart_over_time(info, {.name = "2T/|W|"});
  cover_times(chart, info.series);
  chart.empty =
      info.series.empty() || info.series.front().time.empty() ? "no observables were kept" : "no forces are felt";
  // Without a ratio the guide for equilibrium would stand alone.
  const auto none = [](const Curve& curve) {
    return std::ranges::none_of(curve.y, [](double ratio) { return std::isfinite(ratio); });
  };
  if (!chart.x.limits || std::ranges::all_of(chart.curves, none)) return {chart};
  // Axes do not stretch for a guide, so extend them to equilibrium here.
  double low = 1, high = 1;
  for (const double ratio : chart.curves.front().y) {
    if (!std::isfinite(ratio)) continue;
    if (ratio > 0) low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  chart.y.logarithmic = high > 20;  // as for unbound bodies
  const double air = std::max(0.08 * (high - low), 0.01);
  chart.y.limits =
      chart.y.logarithmic ? Interval{low / 1.3, high * 1.3} : Interval{std::max(0.0, low - air), high + air};
  Curve guide{.x = {chart.x.limits->low, chart.x.limits->high}, .y = {1, 1}, .stroke = Curve::Stroke::dashed};
  guide.note = "equilibrium";
  chart.curves.push_back(guide);
  return {chart};
}

}  // namespace

extern const FigureKind virial = plot_kind<charts_of>(
    "virial", "virial ratio 2T/|W| over time, W = Σ m x·a about the centre of mass; 1 is equilibrium for any force");

}  // namespace orrery::render
