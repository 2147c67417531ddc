// SPDX-License-Identifier: MIT
// The figure "pair-correlation": g(r), how many bodies are around a body at each distance, over as many as chance puts there.
#include <algorithm>
#include <array>
#include <cmath>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    Parameter{.name = "from",
              .kind = Kind::number_or_text,
              .example = "\"1/2 period\"",
              .meaning = "the first moment that counts; left out with `to`, the middle of the run, else its start",
              .unit = "time",
              .optional = true},
    Parameter{.name = "to",
              .kind = Kind::number_or_text,
              .example = "10.0",
              .meaning = "the last one; left out, the end of the run",
              .unit = "time",
              .optional = true},
    Parameter{
        .name = "r_max",
        .example = "3.0",
        .meaning =
            "the greatest distance, at most half of the box; left out, five times the mean spacing of bodies, or a "
            "quarter of a box with walls where that is less",
        .unit = "length",
        .range = positive,
        .optional = true},
    Parameter{.name = "bins",
              .kind = Kind::integer,
              .fallback = "200",
              .meaning = "shells of equal thickness that bodies are counted in",
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

extern const FigureKind pair_correlation{
    .name = "pair-correlation",
    .meaning = "g(r): bodies at each distance from a body of a box, over as many as an ideal gas has there",
    .parameters = parameters,
    .needs_frames = false,
    .make = make<MomentPlot<charts_at>>};

}  // namespace orrery::render
