// SPDX-License-Identifier: MIT
// Limits of charts, and their curves in pixels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

inline bool is_guide(const Curve& curve) {
  return curve.name.empty() && curve.stroke == Curve::Stroke::dashed;
}

/// Returns an axis over these limits, in exponents of ten if it is logarithmic.
Axis axis_of(const ChartAxis& axis, Interval limits);

/// Returns the limits of the common x axis of charts in a column, as for Axis.
Interval x_limits(std::span<const Chart* const> stack);
/// Returns the limits of the y axis for the part of the curves within `x`, as for Axis.
Interval y_limits(const Chart& chart, Interval x);

inline bool is_band(const Curve& curve) {
  return curve.stroke == Curve::Stroke::band;
}

/// Returns whether any curve has a point.
bool has_points(const Chart& chart);

/// Returns the points of a curve in pixels, up to `now` in a film; one list for each piece between gaps.
using Pieces = std::vector<std::vector<Point>>;
Pieces pieces_of(const Panel& panel, const Chart& chart, const Curve& curve, std::optional<double> now = {});

/// Returns the upper and lower end of each point of a band, likewise.
struct Span {
  Point high, low;
};
std::vector<std::vector<Span>> spans_of(const Panel& panel, const Chart& chart, const Curve& curve,
                                        std::optional<double> now = {});

/// Returns the pieces as lines. With many points per pixel only the extremes in each quarter of a pixel are kept.
std::vector<Line> lines_of(const Pieces& pieces, Color color, float width);

/// Returns evenly spaced points of a curve at which marks are drawn; `shift` (0 … 1) separates the marks of several curves.
std::vector<Point> sparse_marks(const Pieces& pieces, const Box& box, double shift);

/// Returns whether a line, or a single point, touches a box.
bool crosses(const std::vector<Point>& line, const Box& box);

}  // namespace orrery::render
