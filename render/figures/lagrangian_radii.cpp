// SPDX-License-Identifier: MIT
// The figure "lagrangian-radii": the distances within which shares of the mass lie, over time.
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    Parameter{.name = "shares",
              .kind = Kind::numbers,
              .fallback = "[1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0]",
              .meaning = "of the mass; left out, those of these that one of so many bodies does not have by itself",
              .unit = "%",
              .range = {.low = 0, .high = 100, .low_open = true}},
    about_parameter,
};

std::vector<Chart> charts_of(const Cast& cast, const Arguments&) {
  Chart chart;
  chart.x = {.name = "t", .unit = cast.time_unit};
  chart.y = {.name = "Lagrangian radius", .unit = cast.length_unit, .logarithmic = true};
  chart.empty = cast.mass.size() < 2 ? "one body is a point" : "all bodies are in one place";
  for (const Series& s : cast.series)
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
