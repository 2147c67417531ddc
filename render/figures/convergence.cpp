// SPDX-License-Identifier: MIT
// The figure "convergence": the error of many runs over a number in which they differ, with the power law that fits.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> errors{"energy", "state"};
constexpr std::array<std::string_view, 2> references{"finest", "exact"};

constexpr std::array parameters{
    Parameter{.name = "against",
              .kind = Kind::text,
              .example = "\"integrator.dt\"",
              .meaning = "the number that the error is drawn over, as --set has it; default: the one that is swept",
              .optional = true},
    Parameter{.name = "error",
              .kind = Kind::text,
              .fallback = "\"energy\"",
              .meaning =
                  "energy: the greatest |ΔE/E₀| of a run | state: how far its bodies are from the reference at the end",
              .choices = errors},
    Parameter{
        .name = "reference",
        .kind = Kind::text,
        .example = "\"finest\"",
        .meaning = "of state: finest | exact; default: the closed form of two-body, else the finest run of a curve",
        .choices = references,
        .optional = true},
    Parameter{
        .name = "others",
        .kind = Kind::texts,
        .example = "[\"other.h5\"]",
        .meaning = "trajectories of the other runs, as seen from the folder of this one; default: all of the sweep",
        .optional = true},
};

/// One list of the values; empty where there is none.
const std::vector<double>& list(const Series& series, std::size_t k) {
  static const std::vector<double> none;
  return k < series.values.size() ? series.values[k] : none;
}

bool any_number(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double v) { return std::isfinite(v); });
}

/// Limits that hold the bands too, with some air.
Interval limits_of(const std::vector<Series>& all) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const Series& s : all) {
    for (const std::size_t k : {0U, 1U, 2U}) {
      for (const double v : list(s, k)) {
        if (!std::isfinite(v) || v <= 0) continue;
        low = std::min(low, v);
        high = std::max(high, v);
      }
    }
  }
  const double air = std::pow(high / low, 0.06);
  return {low / air, high * air};
}

/// Each series: over the numbers in `time` errors, the edges of their band, and the fit; not numbers where there is none.
/// `about` is what the numbers are.
std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  Chart chart;
  const bool state = arguments.text("error") == "state";
  chart.x = {.name = info.series.empty() ? "" : info.series.front().about, .logarithmic = true};
  chart.y = {.name = state ? "root mean square |Δr| at the end" : "greatest |ΔE/E₀|",
             .unit = state ? info.length_unit : "",
             .logarithmic = true};
  chart.empty = info.series.empty() ? "no runs to compare" : "every error is 0";
  for (const Series& s : info.series) {
    chart.curves.push_back({.name = s.name, .x = s.time, .y = list(s, 0), .stroke = Curve::Stroke::marks});
    if (any_number(list(s, 1))) {
      chart.y.limits = limits_of(info.series);
      chart.curves.push_back(
          {.name = s.name, .x = s.time, .y = list(s, 2), .low = list(s, 1), .stroke = Curve::Stroke::band});
    }
    if (any_number(list(s, 3))) chart.curves.push_back({.x = s.time, .y = list(s, 3), .stroke = Curve::Stroke::dashed});
  }
  return {chart};
}

}  // namespace

extern const FigureKind convergence{.name = "convergence",
                                    .meaning = "errors of the runs of a sweep over what is swept, with fitted slopes",
                                    .parameters = parameters,
                                    .needs_frames = false,
                                    .make = make_plot<charts_of>};

}  // namespace orrery::render
