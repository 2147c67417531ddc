// SPDX-License-Identifier: MIT
// The figure "conserved": how far what ought to stay the same has gone from where it began.
//
// |ΔE|/|E₀|; |Δp|/Σm|v| and |Δx|/r, where sums and the root mean square distance r are the greatest of the run and x is the
// centre of mass without its drift p₀/M; |ΔL|/|L₀|, or by Σm|x||v| where L₀ is 0 but for rounding. What has nothing to be
// measured by is absolute, with its unit.
#include <algorithm>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

/// The logarithm leaves out what is nought, and joins what is left.
Curve without_zeros(const Series& series) {
  Curve curve{.name = series.name};
  for (std::size_t i = 0; i < series.time.size(); ++i) {
    if (!(series.values[0][i] > 0)) continue;
    curve.x.push_back(series.time[i]);
    curve.y.push_back(series.values[0][i]);
    curve.time.push_back(series.time[i]);
  }
  if (curve.x.empty()) curve.name += " = 0";
  return curve;
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart;
  chart.x = time_axis(info);
  chart.y = {.name = "change since the start", .logarithmic = true};
  chart.empty = info.series.empty() ? "no observables were kept" : "exactly zero throughout";
  for (const Series& s : info.series) {
    chart.curves.push_back(without_zeros(s));
    if (s.time.empty()) continue;
    const auto [from, to] = std::ranges::minmax(s.time);  // rows without a change count too
    chart.x.limits = Interval{from, to};
  }
  return {chart};
}

}  // namespace

extern const FigureKind conserved{
    .name = "conserved",
    .meaning = "changes of energy, momentum, angular momentum and centre of mass over time",
    .parameters = {},
    .needs_frames = false,
    .make = make_plot<charts_of>};

}  // namespace orrery::render
