// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "common/power_of_ten.hpp"
#include "render/chart/ticks.hpp"
#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    optional_key("other", Kind::text, "\"run.h5\"", "trajectory of the second run, relative to the folder of this one"),
    bodies_key("bodies whose distances are shown, by name, number from 0 or range, \"0:9\"; default: all, or the "
               "maximum and the "
               "median of more "
               "than 13"),
    Parameter{.name = "guide",
              .kind = Kind::boolean,
              .fallback = "false",
              .meaning = "show a fitted exponential growth with its factor per period"},
};

/// Returns the maximum distance at each time.
Series largest_of(const RunInfo& info) {
  Series largest{.name = "", .time = info.series.front().time, .values = {info.series.front().values[0]}};
  for (const Series& s : info.series) {
    for (std::size_t i = 0; i < s.time.size(); ++i)
      largest.values[0][i] = std::max(largest.values[0][i], s.values[0][i]);
  }
  return largest;
}

/// log10 d = start + rate·t.
struct Growth {
  double start, rate;
};

/// Fits the exponential growth by least squares in logarithms. The fit ends at 1 % of the maximum, above which the runs are
/// unrelated, and starts at a third of the way up from the first positive distance (in logarithms), since growing and
/// decaying modes mix before. Returns nullopt for fewer than eight points.
std::optional<Growth> growth_of(const Series& largest) {
  const std::vector<double>&time = largest.time, &d = largest.values[0];
  const auto first = std::ranges::find_if(d, [](double v) { return v > 0; });
  if (first == d.end()) return std::nullopt;
  const double high = 0.01 * *std::ranges::max_element(d), low = std::pow(*first, 2.0 / 3) * std::pow(high, 1.0 / 3);
  double n = 0, t = 0, l = 0, tt = 0, tl = 0;
  for (std::size_t i = 0; i < d.size() && d[i] <= high; ++i) {
    if (d[i] < low) continue;
    const double log = std::log10(d[i]);
    n += 1;
    t += time[i];
    l += log;
    tt += time[i] * time[i];
    tl += time[i] * log;
  }
  const double spread = n * tt - t * t;
  if (n < 8 || !(spread > 0)) return std::nullopt;
  const double rate = (n * tl - t * l) / spread;
  return Growth{(l - rate * t) / n, rate};
}

/// Returns "×85 a period".
std::string growth_text(const Growth& growth, const RunInfo& info) {
  const bool known = info.timescale > 0;
  const double factor = std::pow(10.0, growth.rate * (known ? info.timescale : info.time_unit_length));
  const std::string unit = info.time_unit.empty() ? "unit of time" : info.time_unit;
  const int exponent = static_cast<int>(std::floor(std::log10(factor)));
  const bool plain = exponent >= -2 && exponent <= 4;
  const std::string times = plain ? number_text(factor, std::max(0, 2 - exponent))
                                  : number_text(factor / std::pow(10.0, exponent), 1) + "·" + power_of_ten(exponent);
  return fmt::format("×{} a {}", times, known ? info.timescale_name : unit);
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  Chart chart = chart_over_time(info, {.name = "|Δr|", .unit = info.length_unit, .logarithmic = true});
  cover_times(chart, info.series);
  const bool compared = std::ranges::any_of(info.series, [](const Series& s) { return s.time.size() > 1; });
  chart.empty = compared ? "the same to the last bit" : "no moment after the start that both runs have kept";
  if (!arguments.boolean("guide") || !chart.x.limits) return {chart};
  if (const auto growth = growth_of(largest_of(info))) {
    Curve guide{.stroke = Curve::Stroke::dashed, .note = growth_text(*growth, info)};
    for (const double t : {chart.x.limits->low, chart.x.limits->high}) {
      guide.x.push_back(t);
      guide.y.push_back(std::pow(10.0, growth->start + growth->rate * t));
    }
    chart.curves.push_back(guide);
  }
  return {chart};
}

}  // namespace

extern const FigureKind divergence =
    plot_kind<charts_of>("divergence", "distance of each body between two runs over time", parameters);

}  // namespace orrery::render
