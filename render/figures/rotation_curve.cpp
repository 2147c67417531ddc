// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    choice_key("plane", "\"xy\"", planes, "plane of the rotation, perpendicular to the axis"),
    about_parameter,
    bodies_parameter,
};

/// Returns limits that hold 0 and every third list of all series from list `k` on.
Interval limits_of(const RunInfo& info, std::size_t k) {
  ValueRange range{0, 0};
  for (const Series& s : info.series) {
    for (std::size_t list = k; list < s.values.size(); list += 3) {
      for (const double value : s.values[list]) range.add(value);
    }
  }
  if (range.low == range.high) return {0, 1};
  const double air = 0.06 * (range.high - range.low);
  return {range.low < 0 ? range.low - air : range.low, range.high + air};
}

std::vector<Chart> charts_at(const RunInfo& info, const Arguments&, std::optional<double> now) {
  const std::array names{"mean speed", "dispersion"};
  std::vector<Chart> charts(2);
  for (std::size_t k = 0; k < 2; ++k) {
    Chart& chart = charts[k];
    chart.x = {.name = "R", .unit = info.length_unit, .limits = limits_of(info, 0)};
    chart.y = {.name = names[k], .unit = info.speed_unit, .limits = limits_of(info, k + 1)};
    chart.empty = "no body goes round";
    for (const Series& s : info.series) {
      const std::size_t row = row_at(s, now);
      Curve curve{.name = s.name};
      for (std::size_t list = 0; row < s.time.size() && list + 2 < s.values.size(); list += 3) {
        curve.x.push_back(s.values[list][row]);
        curve.y.push_back(s.values[list + k + 1][row]);
      }
      if (curve.x.size() <= 16) curve.stroke = Curve::Stroke::both;
      chart.curves.push_back(std::move(curve));
    }
  }
  // There is no dispersion if each ring holds one body.
  const auto still = [](const Curve& curve) { return std::ranges::all_of(curve.y, [](double v) { return !(v > 0); }); };
  if (std::ranges::all_of(charts[1].curves, still)) charts.pop_back();
  return charts;
}

}  // namespace

extern const FigureKind rotation_curve = plot_kind<charts_at>(
    "rotation-curve", "mean rotation speed and its dispersion over the distance from an axis; bodies count equally",
    parameters);

}  // namespace orrery::render
