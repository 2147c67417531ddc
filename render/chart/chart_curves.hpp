// SPDX-License-Identifier: MIT
// From the numbers of a chart to its limits, and to lines and marks in pixels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// A dashed curve without a name.
inline bool is_guide(const Curve& curve) {
  return curve.name.empty() && curve.stroke == Curve::Stroke::dashed;
}

/// What panels with one x axis need of it; of a logarithmic axis exponents of ten, as Axis has it.
Interval x_limits(std::span<const Chart* const> stack);
/// What a chart needs of its y axis where x runs over these limits.
Interval y_limits(const Chart& chart, Interval x);

inline bool is_band(const Curve& curve) {
  return curve.stroke == Curve::Stroke::band;
}

/// Whether any curve has a point.
bool has_points(const Chart& chart);

/// The pixels of a curve, of a film as far as it has come by `now`: one list for every piece between gaps.
using Pieces = std::vector<std::vector<Point>>;
Pieces pieces_of(const Panel& panel, const Chart& chart, const Curve& curve, std::optional<double> now = {});

/// A band as the upper and the lower end of each of its points, likewise.
struct Span {
  Point high, low;
};
std::vector<std::vector<Span>> spans_of(const Panel& panel, const Chart& chart, const Curve& curve,
                                        std::optional<double> now = {});

/// The pieces as lines that hide nothing: where there are more points than pixels, the least and the greatest of each
/// quarter of a pixel.
std::vector<Line> lines_of(const Pieces& pieces, Color color, float width);

/// Where a line bears its marks: so far apart, at points of the curve; `shift` (0 … 1) keeps those of several curves
/// apart.
std::vector<Point> sparse_marks(const Pieces& pieces, const Box& box, double shift);

/// Whether a line runs through a box.
bool crosses(const std::vector<Point>& line, const Box& box);

}  // namespace orrery::render
