// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "render/chosen.hpp"
#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    bodies_key("bodies that are counted, and are the centres, by name, number from 0 or range, \"0:9\"; default: all"),
    optional_key("from", Kind::number_or_text, "\"1/2 period\"",
                 "start of the averaging; default: the middle of the run, or its start if `to` is given", "time"),
    optional_key("to", Kind::number_or_text, "10.0", "end of the averaging; default: the end of the run", "time"),
    Parameter{.name = "r_max",
              .example = "3.0",
              .meaning =
                  "maximum distance, at most half of the box; default: five times the mean spacing of the bodies, "
                  "at most a quarter of a box with walls",
              .unit = "length",
              .range = positive,
              .optional = true},
    Parameter{.name = "bins",
              .kind = Kind::integer,
              .fallback = "200",
              .meaning = "number of shells, all of the same thickness",
              .range = {.low = 1, .high = 10'000}},
};

std::vector<Chart> charts_at(const RunInfo& info, const Arguments&, std::optional<double> now) {
  Chart chart;
  chart.x = {.name = "r", .unit = info.length_unit};
  chart.y.name = "g(r)";
  chart.empty = !info.bounds.full()    ? "no box, and so no density: [domain] has an open axis"
                : info.mass.size() < 2 ? "one body has no others around it"
                                       : "no body is as far from every wall";
  if (info.series.empty() || info.series.front().time.empty()) return {chart};
  const Series& s = info.series.front();
  chart.title = s.about;
  const std::size_t row = row_at(s, now);
  Curve curve;
  double high = 1;
  for (std::size_t k = 0; k + 1 < s.values.size(); k += 2) {
    curve.x.push_back(s.values[k][row]);
    curve.y.push_back(s.values[k + 1][row]);
    for (const double g : s.values[k + 1]) high = std::isfinite(g) ? std::max(high, g) : high;
  }
  if (curve.x.empty()) return {chart};
  chart.x.limits = Interval{0, curve.x.back() + (curve.x.size() > 1 ? curve.x.front() : 0)};
  chart.y.limits = Interval{0, 1.08 * high};
  Curve chance{.x = {chart.x.limits->low, chart.x.limits->high}, .y = {1, 1}, .stroke = Curve::Stroke::dashed};
  chart.curves = {std::move(curve), std::move(chance)};
  return {chart};
}

}  // namespace

extern const FigureKind pair_correlation = plot_kind<charts_at>(
    "pair-correlation", "radial distribution function g(r) of a box, relative to an ideal gas", parameters);

}  // namespace orrery::render
