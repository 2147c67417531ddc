// SPDX-License-Identifier: MIT
// The figure "elements": the orbit that each body would follow from each moment on, if only the centre attracted it.
#include <algorithm>
#include <array>

#include "render/figures/plot.hpp"
#include "render/statistics.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    Parameter{.name = "around",
              .kind = Kind::number_or_text,
              .example = "\"0\"",
              .meaning = "the body in the centre: its name, or its number, counted from 0; left out, the heaviest",
              .optional = true},
    Parameter{.name = "bodies",
              .kind = Kind::texts,
              .example = "[\"0\", \"1\"]",
              .meaning = "whose elements, [\"Jupiter\", \"2\"]: names, or numbers from 0; left out, all, 13 at most",
              .optional = true},
};

/// Where a body comes loose a goes through infinity: what is shown is where it is nearly always.
Interval most_of_all(const std::vector<Curve>& curves) {
  std::vector<double> all;
  for (const Curve& curve : curves) all.insert(all.end(), curve.y.begin(), curve.y.end());
  const Interval most = most_of(all);
  return {most.low - 0.08 * most.length(), most.high + 0.08 * most.length()};
}

std::vector<Chart> charts_of(const Cast& cast, const Arguments&) {
  const std::array<ChartAxis, 3> axes{ChartAxis{.name = "a", .unit = cast.length_unit}, ChartAxis{.name = "e"},
                                      ChartAxis{.name = "i", .unit = "°"}};
  std::vector<Chart> charts(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Chart& chart = charts[k];
    chart.x = {.name = "t", .unit = cast.time_unit};
    chart.y = axes[k];
    for (const Series& s : cast.series) {
      chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[k], .time = s.time});
    }
  }
  // On a hyperbola a is below 0.
  const auto bound = [](const Curve& curve) { return std::ranges::all_of(curve.y, [](double a) { return a > 0; }); };
  const bool all_bound = std::ranges::all_of(charts[0].curves, bound);
  charts[0].y.logarithmic = all_bound && spans_decades(charts[0].curves);
  if (!all_bound) charts[0].y.limits = most_of_all(charts[0].curves);
  return charts;
}

}  // namespace

extern const FigureKind elements{.name = "elements",
                                 .meaning = "osculating semi-major axis, eccentricity and inclination over time",
                                 .parameters = parameters,
                                 .needs_frames = false,
                                 .make = make_plot<charts_of>};

}  // namespace orrery::render
