// SPDX-License-Identifier: MIT
// Changes of conserved quantities since the start: |ΔE|/|E₀|; |Δp|/Σm|v| and |Δx|/r, where x is the centre of mass without its
// drift p₀/M, and the sum and the RMS distance r are maxima over the run; |ΔL|/|L₀|, or |ΔL|/Σm|x||v| if L₀ is 0 up to rounding.
// A change without a scale is absolute, with its unit.
#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

/// Returns the curve without zeros, which a logarithmic axis cannot show; its name gets " = 0" if there is nothing else.
Curve without_zeros(const Series& series) {
  Curve curve{.name = series.name};
  for (std::size_t i = 0; i < series.time.size(); ++i) {
    if (!(series.values[0][i] > 0)) continue;
    curve.x.push_back(series.time[i]);
    curve.y.push_back(series.values[0][i]);
    curve.time.push_back(series.time[i]);
  }
  if (curve.x.empty() && !series.time.empty()) curve.name += " = 0";
  return curve;
}

/// `about` of the first series becomes the title. Zero is said of what was measured only.
std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  const Series first = info.series.empty() ? Series{} : info.series.front();
  Chart chart{.title = first.about,
              .x = time_axis(info),
              .y = {.name = "change since the start", .logarithmic = true},
              .empty = first.time.empty()    ? "no observables were kept"
                       : first.about.empty() ? "exactly zero throughout"
                                             : "exactly zero: " + first.about};
  for (const Series& s : info.series) chart.curves.push_back(without_zeros(s));
  cover_times(chart, info.series);
  return {chart};
}

}  // namespace

extern const FigureKind conserved = plot_kind<charts_of>(
    "conserved", "changes of energy, momentum, angular momentum and centre of mass since the start, over time");

}  // namespace orrery::render
