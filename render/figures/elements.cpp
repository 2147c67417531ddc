// SPDX-License-Identifier: MIT
// The figure "elements": the orbit that each body would follow from each moment on, if only the centre attracted it.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"
#include "render/statistics.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> scales{"auto", "linear", "log"};

constexpr Parameter limits_of(std::string_view name, std::string_view example, std::string_view unit) {
  return {.name = name,
          .kind = Kind::numbers,
          .example = example,
          .meaning = "[from, to] of that panel; left out, as `outliers` says",
          .unit = unit,
          .count = 2,
          .optional = true};
}

constexpr std::array parameters{
    Parameter{.name = "around",
              .kind = Kind::number_or_text,
              .example = "\"0\"",
              .meaning = "the body in the centre: its name, or its number, counted from 0; left out, the heaviest",
              .optional = true},
    bodies_key("whose elements, [\"Sun\", \"2\"]: names, or numbers from 0, at most 13; left out, all"),
    Parameter{.name = "scale",
              .kind = Kind::text,
              .fallback = "\"auto\"",
              .meaning = "of a; auto: logarithmic where all are bound and it spans decades",
              .choices = scales},
    Parameter{.name = "outliers",
              .kind = Kind::text,
              .fallback = "\"leave-out\"",
              .meaning =
                  "leave-out | show: whether a and e hold spikes, which would take more than three times the room "
                  "of the middle nine tenths",
              .choices = outlier_ways},
    limits_of("a_limits", "[0.5, 2.0]", "length"),
    limits_of("e_limits", "[0.0, 1.0]", ""),
    limits_of("i_limits", "[0.0, 90.0]", "degrees"),
};

constexpr double much = 3;  // times as long as what the middle nine tenths take: more would make those a line

/// Where a body comes loose a goes through infinity, and e of two that pass each other is anything. All is shown, unless
/// that took more than `much` times the room of the middle nine tenths of the values: then those, and half as much again
/// on either side, as far as there are values. Of a logarithmic axis in logarithms; nothing where it holds what it needs.
std::optional<Interval> robust(const std::vector<Curve>& curves, bool logarithmic) {
  std::vector<double> all;
  for (const Curve& curve : curves) {
    for (const double y : curve.y) {
      if (std::isfinite(y) && (y > 0 || !logarithmic)) all.push_back(logarithmic ? std::log10(y) : y);
    }
  }
  if (all.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(all);
  const Interval most = most_of(all, 0.05);
  if (high - low <= much * most.length()) return std::nullopt;
  const double air = 0.5 * most.length();
  const Interval held{std::max(low - 0.1 * air, most.low - air), std::min(high + 0.1 * air, most.high + air)};
  return logarithmic ? Interval{std::pow(10.0, held.low), std::pow(10.0, held.high)} : held;
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::array<ChartAxis, 3> axes{ChartAxis{.name = "a", .unit = info.length_unit}, ChartAxis{.name = "e"},
                                      ChartAxis{.name = "i", .unit = "°"}};
  constexpr std::array<std::string_view, 3> limits{"a_limits", "e_limits", "i_limits"};
  std::vector<Chart> charts(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Chart& chart = charts[k];
    chart.x = time_axis(info);
    chart.y = axes[k];
    for (const Series& s : info.series) {
      chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[k], .time = s.time, .bodies = s.bodies});
      if (!s.about.empty()) charts.front().title = "orbits about " + s.about;
    }
    if (k == 0) {
      // On a hyperbola a is below 0.
      const auto bound = [](const Curve& c) { return std::ranges::all_of(c.y, [](double a) { return a > 0; }); };
      const std::string& scale = arguments.text("scale");
      const bool decades = std::ranges::all_of(chart.curves, bound) && spans_decades(chart.curves);
      const bool from_above = !arguments.has(limits[0]) || arguments.numbers(limits[0])[0] > 0;
      chart.y.logarithmic = scale == "log" || (scale == "auto" && decades && from_above);
    }
    if (arguments.has(limits[k])) {
      const auto& given = arguments.numbers(limits[k]);
      chart.y.limits = Interval{given[0], given[1]};
      const bool wrong = chart.y.logarithmic && !(given[0] > 0);
      if (wrong || !(given[0] < given[1])) {
        throw ArgumentError(limits[k], wrong ? "a logarithmic axis begins above 0: give it such a limit, or `scale = "
                                               "\"linear\"`"
                                             : "the lower limit must be below the upper one");
      }
    } else if (k < 2 && arguments.text("outliers") == "leave-out") {  // i is bounded
      chart.y.limits = robust(chart.curves, chart.y.logarithmic);
    }
  }
  return charts;
}

}  // namespace

extern const FigureKind elements{.name = "elements",
                                 .meaning = "osculating semi-major axis, eccentricity and inclination over time",
                                 .parameters = parameters,
                                 .needs_frames = false,
                                 .make = make_plot<charts_of>};

}  // namespace orrery::render
