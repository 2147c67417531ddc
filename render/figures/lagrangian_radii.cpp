// SPDX-License-Identifier: MIT
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
              .meaning = "mass fractions; default: those of 1, 5, 10, 25, 50, 75 and 90 above the mass fraction of the "
                         "heaviest body",
              .unit = "%",
              .range = {.low = 0, .high = 100, .low_open = true},
              .optional = true},
    about_parameter,
    bodies_parameter,
};

std::vector<Chart> charts_of(const RunInfo& info, const Arguments&) {
  Chart chart = chart_over_time(info, {.name = "Lagrangian radius", .unit = info.length_unit, .logarithmic = true});
  chart.empty = info.mass.size() < 2  ? "one body is a point"
                : info.series.empty() ? "one body has 90 % of the mass and more: give `shares` above its own"
                                      : "all bodies are in one place";
  // Without radii the time axis still covers the run.
  if (info.series.empty()) chart.x.limits = Interval{std::min(info.start, info.end), std::max(info.start, info.end)};
  return {chart};
}

}  // namespace

extern const FigureKind lagrangian_radii =
    plot_kind<charts_of>("lagrangian-radii", "radii that enclose given fractions of the mass, over time", parameters);

}  // namespace orrery::render
