// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> errors{"energy", "state"};
constexpr std::array<std::string_view, 2> references{"finest", "exact"};

constexpr std::array parameters{
    optional_key(
        "against", Kind::text, "\"integrator.dt\"",
        "key on the horizontal axis, as in --set; default: the swept key of the integrator, otherwise the first one"),
    choice_key("error", "\"energy\"", errors,
               "energy: maximum |ΔE|/|E₀| of a run; state: RMS distance of its final positions from `reference`"),
    Parameter{.name = "reference",
              .kind = Kind::text,
              .example = "\"finest\"",
              .meaning = "reference of `state`; default: exact (the closed form) for two-body, otherwise the finest "
                         "run of each curve",
              .choices = references,
              .optional = true},
    bands_key("fill the band from 16 to 84 % of several seeds; false: only medians"),
    optional_key("others", Kind::texts, "[\"other.h5\"]",
                 "trajectories of the other runs, relative to the folder of this one; default: all of the sweep"),
};

/// Returns list k of the values, or an empty one.
const std::vector<double>& list(const Series& series, std::size_t k) {
  static const std::vector<double> none;
  return k < series.values.size() ? series.values[k] : none;
}

bool any_number(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double v) { return std::isfinite(v); });
}

/// Returns limits, with a margin, that hold all errors and bands.
Interval limits_of(const std::vector<Series>& all) {
  ValueRange range;
  for (const Series& s : all) {
    for (const std::size_t k : {0U, 1U, 2U}) range.add_positive(list(s, k));
  }
  const double air = std::pow(range.high / range.low, 0.06);
  return {range.low / air, range.high * air};
}

/// Returns ", slope 4.02 ± 0.05", whose uncertainty has one digit, or "".
std::string slope_of(const Series& series) {
  if (list(series, 4).empty() || !std::isfinite(list(series, 4).front())) return "";
  const double slope = list(series, 4).front(), uncertainty = list(series, 5).front();
  if (!std::isfinite(uncertainty)) return ", slope " + number_text(slope, 2);  // two points
  const int decimals = uncertainty > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(uncertainty))), 1, 2) : 2;
  return ", slope " + number_text(slope, decimals) + " ± " +
         number_text(std::max(std::pow(10.0, -decimals), uncertainty), decimals);
}

/// In each series `time` holds the swept values, whose name is `about`, and the lists hold the error, both edges of its band,
/// and the fit, or NaN, then the slope of the fit and its uncertainty, the same for all points.
std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  Chart chart;
  const bool state = arguments.text("error") == "state";
  chart.x = {.name = info.series.empty() ? "" : info.series.front().about, .logarithmic = true};
  chart.y = {.name = state ? "root mean square |Δr| at the end" : "greatest |ΔE|/|E₀|",
             .unit = state ? info.length_unit : "",
             .logarithmic = true};
  chart.empty = info.series.empty() ? "no runs to compare" : "every error is 0";
  for (const Series& s : info.series) {
    chart.curves.push_back(
        {.name = s.name, .remark = slope_of(s), .x = s.time, .y = list(s, 0), .stroke = Curve::Stroke::marks});
    if (arguments.boolean("bands") && any_number(list(s, 1))) {
      chart.y.limits = limits_of(info.series);
      chart.curves.push_back({.name = s.name,
                              .remark = slope_of(s),
                              .x = s.time,
                              .y = list(s, 2),
                              .low = list(s, 1),
                              .stroke = Curve::Stroke::band});
    }
    if (any_number(list(s, 3))) chart.curves.push_back({.x = s.time, .y = list(s, 3), .stroke = Curve::Stroke::dashed});
  }
  return {chart};
}

}  // namespace

extern const FigureKind convergence = plot_kind<charts_of>(
    "convergence", "errors of the runs of a sweep over the swept key, with fitted power laws", parameters);

}  // namespace orrery::render
