// SPDX-License-Identifier: MIT
// The figure "divergence": how far two runs are apart, body by body, on a logarithmic scale.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "common/power_of_ten.hpp"
#include "render/canvas/text.hpp"
#include "render/chart/ticks.hpp"
#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    Parameter{.name = "other",
              .kind = Kind::text,
              .example = "\"run.h5\"",
              .meaning = "trajectory of the second run, as seen from the folder of this one",
              .optional = true},
    bodies_key(
        "whose distances, [\"Sun\", \"2\"]: names, or numbers from 0; left out, all; of more than 13 the largest "
        "and the median"),
    Parameter{.name = "guide",
              .kind = Kind::boolean,
              .fallback = "false",
              .meaning = "a line of exponential growth, fitted, with its factor a period"},
};

/// The largest distance at each moment.
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

/// Least squares over the way up, in logarithms: from a third of the way between the first distance that is not nought
/// and a hundredth of the largest, since growing and decaying motions mix at first, up to that, since at the end runs have
/// nothing left in common. Nothing where that is no way.
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

/// "×85 a period".
std::string words_for(const Growth& growth, const RunInfo& info) {
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
  Chart chart;
  chart.x = time_axis(info);
  chart.y = {.name = "|Δr|", .unit = info.length_unit, .logarithmic = true};
  const bool compared = std::ranges::any_of(info.series, [](const Series& s) { return s.time.size() > 1; });
  chart.empty = compared ? "the same to the last bit" : "no moment after the start that both runs have kept";
  for (const Series& s : info.series) {
    chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[0], .time = s.time, .bodies = s.bodies});
    if (s.time.empty()) continue;
    const auto [from, to] = std::ranges::minmax(s.time);  // moments without a difference count too
    chart.x.limits = Interval{from, to};
  }
  if (!arguments.boolean("guide") || !chart.x.limits) return {chart};
  if (const auto growth = growth_of(largest_of(info))) {
    Curve guide{.stroke = Curve::Stroke::dashed, .note = words_for(*growth, info)};
    for (const double t : {chart.x.limits->low, chart.x.limits->high}) {
      guide.x.push_back(t);
      guide.y.push_back(std::pow(10.0, growth->start + growth->rate * t));
    }
    chart.curves.push_back(guide);
  }
  return {chart};
}

}  // namespace

extern const FigureKind divergence{.name = "divergence",
                                   .meaning = "how far the bodies of two runs are apart over time",
                                   .parameters = parameters,
                                   .needs_frames = false,
                                   .make = make_plot<charts_of>};

}  // namespace orrery::render
