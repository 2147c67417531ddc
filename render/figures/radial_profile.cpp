// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{about_parameter, bodies_parameter};

/// Returns a row of a series whose lists are radii and densities in turn.
Curve curve_of(const Series& series, std::size_t row) {
  Curve curve;
  for (std::size_t k = 0; k + 1 < series.values.size(); k += 2) {
    if (!(series.values[k][row] > 0)) continue;
    curve.x.push_back(series.values[k][row]);
    curve.y.push_back(series.values[k + 1][row]);
  }
  return curve;
}

/// Returns limits, with a margin, that hold all positive values of every second list from `first` on; nullopt if there are
/// none.
std::optional<Interval> limits_of(const Series& series, std::size_t first) {
  ValueRange range;
  for (std::size_t k = first; k < series.values.size(); k += 2) range.add_positive(series.values[k]);
  if (range.empty()) return std::nullopt;
  const double air = std::pow(range.high / range.low, 0.05) * 1.1;
  return Interval{range.low / air, range.high * air};
}

std::string unit_of(const RunInfo& info) {
  if (info.length_unit.empty()) return "";
  const bool massive = std::ranges::any_of(info.mass, [](double m) { return m > 0; });
  return (massive ? info.mass_unit : "bodies") + "/" + info.length_unit + "³";
}

std::vector<Chart> charts_at(const RunInfo& info, const Arguments&, std::optional<double> now) {
  Chart chart;
  chart.x = {.name = "r", .unit = info.length_unit, .logarithmic = true};
  chart.y = {.name = "density", .unit = unit_of(info), .logarithmic = true};
  chart.empty = info.mass.size() < 2 ? "one body fills no volume" : "all bodies are in one place";
  if (info.series.empty()) return {chart};
  const Series& profile = info.series.front();
  if (!profile.without.empty()) chart.title = "without " + profile.without;
  chart.x.limits = limits_of(profile, 0);
  chart.y.limits = limits_of(profile, 1);
  if (info.series.size() > 1) {
    Curve formula = curve_of(info.series[1], 0);
    formula.stroke = Curve::Stroke::dashed;
    formula.note = "closed form";
    chart.curves.push_back(formula);
  }
  Curve present = curve_of(profile, row_at(profile, now));
  if (profile.time.size() > 1) {
    Curve first = curve_of(profile, 0);
    first.stroke = Curve::Stroke::dashed;
    first.name = "start";
    present.name = now ? "now" : "end";
    chart.curves.push_back(first);
  }
  chart.curves.push_back(present);
  return {chart};
}

}  // namespace

extern const FigureKind radial_profile = plot_kind<charts_at>(
    "radial-profile",
    "mass density over the distance from the centre, now and at the start, without bodies that dominate their shell",
    parameters);

}  // namespace orrery::render
