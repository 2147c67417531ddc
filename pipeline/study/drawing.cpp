// SPDX-License-Identifier: MIT
// A chart of a result as one of the figure code.
#include "pipeline/study/drawing.hpp"

#include <cmath>
#include <limits>

#include "pipeline/pictures/pictures.hpp"
#include "render/chart/chart.hpp"

namespace orrery::pipeline {
namespace {

render::ChartAxis axis_of(const ResultAxis& axis) {
  return {.name = axis.name, .unit = axis.unit, .logarithmic = axis.logarithmic};
}

render::Curve::Stroke stroke_of(ResultCurve::Stroke stroke) {
  switch (stroke) {
    case ResultCurve::Stroke::line:
      return render::Curve::Stroke::line;
    case ResultCurve::Stroke::marks:
      return render::Curve::Stroke::marks;
    case ResultCurve::Stroke::both:
      return render::Curve::Stroke::both;
    case ResultCurve::Stroke::dashed:
      return render::Curve::Stroke::dashed;
  }
  return render::Curve::Stroke::line;
}

/// Bands of one point each, which are bars from end to end.
render::Curve bars_of(const ResultCurve& curve) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  render::Curve bars{.name = curve.name, .stroke = render::Curve::Stroke::band};
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    bars.x.insert(bars.x.end(), {curve.x[i], gap});
    bars.y.insert(bars.y.end(), {curve.greatest[i], gap});
    bars.low.insert(bars.low.end(), {curve.least[i], gap});
  }
  return bars;
}

}  // namespace

bool draw(const ResultChart& chart, const std::filesystem::path& file, Replacing replacing) {
  render::Chart drawn{.title = chart.title, .x = axis_of(chart.x), .y = axis_of(chart.y)};
  for (const ResultCurve& curve : chart.curves) {
    drawn.curves.push_back(
        {.name = curve.name, .x = curve.x, .y = curve.y, .stroke = stroke_of(curve.stroke), .note = curve.note});
    if (!curve.least.empty() && curve.least.size() == curve.greatest.size()) drawn.curves.push_back(bars_of(curve));
  }
  return write_chart(file, {640, 430}, render::Theme::light, {drawn}, 1, replacing);
}

bool draw(const ResultMap& map, const std::filesystem::path& file, Replacing replacing) {
  return write_heat_map(file, {640, 430}, render::Theme::light,
                        {.title = map.title,
                         .x = axis_of(map.x),
                         .y = axis_of(map.y),
                         .value = axis_of(map.value),
                         .xs = map.xs,
                         .ys = map.ys,
                         .values = map.values},
                        replacing);
}

}  // namespace orrery::pipeline
