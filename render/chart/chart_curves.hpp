// SPDX-License-Identifier: MIT
// Limits of charts, and their curves in pixels.
#pragma once

#include <cmath>
#include <cstddef>
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
Interval x_limits(std::span<const Chart> charts);
/// Returns the limits of the y axis for the part of the curves within `x`, as for Axis.
Interval y_limits(const Chart& chart, Interval x);

inline bool is_band(const Curve& curve) {
  return curve.stroke == Curve::Stroke::band;
}

/// Returns whether any curve has a point.
bool has_points(const Chart& chart);

/// Returns the number of points of a curve, up to `now` in a film. O(log N).
std::size_t grown(const Curve& curve, std::optional<double> now = {});

/// Returns each point of a curve in pixels; not finite in a gap.
std::vector<Point> points_of(const Panel& panel, const Chart& chart, const Curve& curve);

inline bool is_gap(Point p) {
  return !std::isfinite(p.x);
}

/// Returns the points between gaps; one list for each piece.
using Pieces = std::vector<std::vector<Point>>;
Pieces pieces_of(std::span<const Point> points);

/// Returns the upper and lower end of the first `count` points of a band, likewise.
struct Span {
  Point high, low;
};
std::vector<std::vector<Span>> spans_of(const Panel& panel, const Chart& chart, const Curve& curve, std::size_t count);

/// Returns how many points lie in a quarter of a pixel along the x axis; 1 if the points go back and forth.
std::size_t points_per_quarter(std::span<const Point> points);

/// Returns the pieces between gaps as lines. Of every `bucket` points only the extremes are kept if there are three or more.
std::vector<Line> lines_of(std::span<const Point> points, std::size_t bucket, Color color, float width);

/// Returns the indices of evenly spaced points at which marks are drawn; `shift` (0 … 1) separates those of several curves.
std::vector<std::size_t> sparse_marks(std::span<const Point> points, const Box& box, double shift);

inline bool holds(const Box& box, Point p, float slack = 0) {
  return p.x >= box.left - slack && p.x <= box.right + slack && p.y >= box.top - slack && p.y <= box.bottom + slack;
}

/// Returns whether a line, or a single point, touches a box.
bool crosses(const std::vector<Point>& line, const Box& box);

}  // namespace orrery::render
