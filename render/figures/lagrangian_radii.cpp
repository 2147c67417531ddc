// SPDX-License-Identifier: MIT
// The figure "lagrangian-radii": the distances within which shares of the mass lie, over time.
#include <algorithm>
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    Parameter{.name = "shares",
              .kind = Kind::numbers,
              .example = "[10.0, 20.0]",
              .meaning = "of the mass; left out, of 1, 5, 10, 25, 50, 75 and 90 those that are more than the heaviest "
                         "body alone has",
              .unit = "%",
              .range = {.low = 0, .high = 100, .low_open = true},
              .optional = true},
    about_parameter,
    bodies_parameter,
};

std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart;
  chart.x = time_axis(info);
  chart.y = {.name = "Lagrangian radius", .unit = info.length_unit, .logarithmic = true};
  chart.empty = info.mass.size() < 2  ? "one body is a point"
                : info.series.empty() ? "one body has 90 % of the mass and more: give `shares` above its own"
                                      : "all bodies are in one place";
  // One body has no radii; the time axis is that of the run all the same.
  if (info.series.empty()) chart.x.limits = Interval{std::min(info.start, info.end), std::max(info.start, info.end)};
  for (const Series& s : info.series)
    chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[0], .time = s.time});
  return {chart};
}

}  // namespace

extern const FigureKind lagrangian_radii{.name = "lagrangian-radii",
                                         .meaning = "the radii within which shares of the mass lie, over time",
                                         .parameters = parameters,
                                         .needs_frames = false,
                                         .make = make_plot<charts_of>};

}  // namespace orrery::render
