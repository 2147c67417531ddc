// SPDX-License-Identifier: MIT
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

constexpr std::array parameters{
    optional_key("around", Kind::number_or_text, "\"0\"",
                 "central body, by name or number from 0; default: the heaviest"),
    bodies_key("bodies whose elements are shown, by name, number from 0 or range, \"0:9\", at most 13; default: all"),
    choice_key(
        "scale", "\"auto\"", scales,
        "scale of a; auto: log if all orbits are bound and a spans two decades; 1/a, which is shown if an orbit is "
        "nearly a parabola, is linear"),
    choice_key("outliers", "\"leave-out\"", outlier_choices,
               "whether the default limits of a and e include spikes beyond three times the range of the middle 90 %"),
    interval_key("a_limits", "[0.5, 2.0]", "[from, to] of the semi-major axis; default: see `outliers`", "length"),
    interval_key("e_limits", "[0.0, 1.0]", "[from, to] of the eccentricity; default: see `outliers`"),
    interval_key("i_limits", "[0.0, 90.0]", "[from, to] of the inclination to the xy plane; default: all values",
                 "degrees"),
};

/// Returns limits without spikes: a goes through infinity when a body is ejected, and e is arbitrary during an encounter. If
/// all values take more than three times the range of their middle 90 %, the limits are that range with half of its length on
/// either side, as far as there are values; otherwise nullopt. For a logarithmic axis ranges are measured in logarithms.
std::optional<Interval> robust_limits(const std::vector<Curve>& curves, bool logarithmic) {
  std::vector<double> all;
  for (const Curve& curve : curves) {
    for (const double y : curve.y) {
      if (std::isfinite(y) && (y > 0 || !logarithmic)) all.push_back(logarithmic ? std::log10(y) : y);
    }
  }
  if (all.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(all);
  if (is_constant({low, high})) return std::nullopt;
  const Interval most = robust_range(all, 0.05);
  if (high - low <= 3 * most.length()) return std::nullopt;
  const double air = 0.5 * most.length();
  const Interval limits{std::max(low - 0.1 * air, most.low - air), std::min(high + 0.1 * air, most.high + air)};
  return logarithmic ? Interval{std::pow(10.0, limits.low), std::pow(10.0, limits.high)} : limits;
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::array<ChartAxis, 3> axes{ChartAxis{.name = "a", .unit = info.length_unit}, ChartAxis{.name = "e"},
                                      ChartAxis{.name = "i to the xy plane", .unit = "°"}};
  constexpr std::array<std::string_view, 3> limits{"a_limits", "e_limits", "i_limits"};
  // Of nearly parabolic orbits a is infinite or rounding of any size; 1/a is neither.
  const bool inverse = !arguments.has("a_limits") && !info.series.empty() && info.series.front().values.size() > 3;
  std::vector<Chart> charts(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Chart& chart = charts[k] = chart_over_time(info, axes[k], Chart{}.empty, k);
    for (const Series& s : info.series) {
      if (!s.about.empty()) charts.front().title = "orbits about " + s.about;
    }
    if (k == 0 && inverse) {
      const std::string title = std::move(chart.title);
      const std::string unit = info.length_unit.empty() ? "" : "1/" + info.length_unit;
      chart = chart_over_time(info, {.name = "1/a", .unit = unit}, Chart{}.empty, 3);
      chart.title = title;
    } else if (k == 0) {
      // a is negative on a hyperbola.
      const auto bound = [](const Curve& c) { return std::ranges::all_of(c.y, [](double a) { return a > 0; }); };
      const std::string& scale = arguments.text("scale");
      const bool decades = std::ranges::all_of(chart.curves, bound) && spans_decades(chart.curves);
      chart.y.logarithmic = scale == "log" || (scale == "auto" && decades);
    }
    if (arguments.has(limits[k])) {
      set_limits(chart.y, limits[k], arguments);
    } else if (k < 2 && arguments.text("outliers") == "leave-out") {  // i is bounded
      chart.y.limits = robust_limits(chart.curves, chart.y.logarithmic);
    }
  }
  return charts;
}

}  // namespace

extern const FigureKind elements = plot_kind<charts_of>(
    "elements",
    "osculating semi-major axis (1/a of near-parabolas), eccentricity, and inclination to the xy plane, over time",
    parameters);

}  // namespace orrery::render
