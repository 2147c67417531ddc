// SPDX-License-Identifier: MIT
// Limits hold every point that can be drawn, and leave it some air.
#include "render/chart/chart_curves.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace orrery::render {
namespace {

/// The place of a number on an axis; not finite where it has none.
double on(const ChartAxis& axis, double value) {
  return axis.logarithmic ? value > 0 ? std::log10(value) : std::nan("") : value;
}

std::size_t size_of(const Curve& curve) {
  const std::size_t points = std::min(curve.x.size(), curve.y.size());
  return is_band(curve) ? std::min(points, curve.low.size()) : points;
}

/// How many points there are by `now`.
std::size_t grown(const Curve& curve, std::optional<double> now) {
  const bool grows = now && !curve.time.empty();
  return grows ? std::min(size_of(curve), grown_to(curve.time, *now)) : size_of(curve);
}

/// The least and the greatest of the numbers that were met.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void meet(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// A logarithmic axis is as long, so that it can have two numbers.
constexpr double least_decades = 0.6;

/// Limits that hold the range.
Interval around(const Range& range, bool logarithmic, double margin) {
  if (range.empty()) return logarithmic ? Interval{-1, 1} : Interval{0, 1};
  const double length = range.high - range.low;
  if (logarithmic) {
    const double air = std::max(0.04 * length, (least_decades - length) / 2);
    return {range.low - air, range.high + air};
  }
  // What differs by rounding alone is constant, and its axis has numbers that can be read.
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (length > 1e-8 * size) return {range.low - margin * length, range.high + margin * length};
  const double half = size > 0 ? 0.5 * size : 0.5, middle = range.low + length / 2;
  return {middle - half, middle + half};
}

/// Limits as they were given, if they can be.
std::optional<Interval> given(const ChartAxis& axis) {
  if (!axis.limits) return std::nullopt;
  const Interval limits{on(axis, axis.limits->low), on(axis, axis.limits->high)};
  return limits.low < limits.high ? std::optional(limits) : std::nullopt;
}

bool has_marks(const Curve& curve) {
  return curve.stroke == Curve::Stroke::marks || curve.stroke == Curve::Stroke::both;
}

/// Else it turns back, and touches the limits in the midst of its way.
bool rises_or_falls_in_x(const Curve& curve) {
  return std::ranges::is_sorted(curve.x) || std::ranges::is_sorted(curve.x, std::greater{});
}

/// Calls meet(x, y) with the places of all points of curves that axes stretch for: of guides where there is nothing else.
template <class Meet>
void each_point(const Chart& chart, const Meet& meet) {
  const bool guides_alone = std::ranges::all_of(chart.curves, is_guide);
  for (const Curve& curve : chart.curves) {
    if (is_guide(curve) && !guides_alone) continue;
    for (std::size_t i = 0; i < size_of(curve); ++i) {
      meet(on(chart.x, curve.x[i]), on(chart.y, curve.y[i]));
      // How close to 0 a band comes on a logarithmic axis says little, and would take most of it.
      if (is_band(curve) && !chart.y.logarithmic) meet(on(chart.x, curve.x[i]), curve.low[i]);
    }
  }
}

bool rises_or_falls(const Pieces& pieces) {
  bool rises = true, falls = true;
  float before = pieces.empty() ? 0 : pieces.front().front().x;
  for (const auto& piece : pieces) {
    for (const Point p : piece) {
      rises = rises && p.x >= before;
      falls = falls && p.x <= before;
      before = p.x;
    }
  }
  return rises || falls;
}

/// Of every `bucket` points the highest and the lowest, in their order.
std::vector<Point> extremes(const std::vector<Point>& points, std::size_t bucket) {
  std::vector<Point> kept;
  for (std::size_t from = 0; from < points.size(); from += bucket) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>(std::min(points.size(), from + bucket));
    const auto [top, bottom] = std::minmax_element(begin, end, [](Point a, Point b) { return a.y < b.y; });
    kept.push_back(*std::min(top, bottom));
    if (top != bottom) kept.push_back(*std::max(top, bottom));
  }
  return kept;
}

}  // namespace

Interval x_limits(std::span<const Chart* const> stack) {
  Range range;
  bool marks = false, turns = false;
  for (const Chart* chart : stack) {
    if (const auto limits = given(chart->x)) return *limits;
    marks = marks || std::ranges::any_of(chart->curves, has_marks);
    turns = turns || chart->equal || !std::ranges::all_of(chart->curves, rises_or_falls_in_x);
    each_point(*chart, [&](double x, double) { range.meet(x); });
  }
  return around(range, stack.front()->x.logarithmic, turns ? 0.06 : marks ? 0.03 : 0);
}

Interval y_limits(const Chart& chart, Interval x_range) {
  if (const auto limits = given(chart.y)) return *limits;
  Range range;
  each_point(chart, [&](double x, double y) {
    if (x >= x_range.low && x <= x_range.high) range.meet(y);
  });
  Interval limits = around(range, chart.y.logarithmic, chart.equal ? 0.06 : 0.08);
  // What is positive everywhere, as a distance is, has no axis below nought for the sake of some air.
  if (!chart.y.logarithmic && !chart.equal && range.low > 0 && !range.empty()) limits.low = std::max(limits.low, 0.0);
  return limits;
}

bool has_points(const Chart& chart) {
  bool any = false;
  each_point(chart, [&](double x, double y) { any = any || std::isfinite(x + y); });
  return any;
}

Pieces pieces_of(const Panel& panel, const Chart& chart, const Curve& curve, std::optional<double> now) {
  const std::size_t n = grown(curve, now);
  Pieces pieces;
  bool joined = false;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = on(chart.x, curve.x[i]), y = on(chart.y, curve.y[i]);
    const bool there = std::isfinite(x) && std::isfinite(y);
    if (there && !joined) pieces.emplace_back();
    if (there) pieces.back().push_back(panel.at(x, y));
    joined = there;
  }
  return pieces;
}

std::vector<std::vector<Span>> spans_of(const Panel& panel, const Chart& chart, const Curve& curve,
                                        std::optional<double> now) {
  std::vector<std::vector<Span>> pieces;
  const double bottom = panel.vertical().limits.low;
  const std::size_t n = grown(curve, now);
  bool joined = false;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = on(chart.x, curve.x[i]), high = on(chart.y, curve.y[i]);
    const double low = chart.y.logarithmic && curve.low[i] <= 0 ? bottom : on(chart.y, curve.low[i]);
    const bool there = std::isfinite(x + high + low);
    if (there && !joined) pieces.emplace_back();
    if (there) pieces.back().push_back({panel.at(x, high), panel.at(x, std::min(low, high))});
    joined = there;
  }
  return pieces;
}

std::vector<Line> lines_of(const Pieces& pieces, Color color, float width) {
  std::vector<Line> lines;
  const bool thins = rises_or_falls(pieces);
  for (const auto& piece : pieces) {
    if (piece.size() < 2) continue;
    const float pixels = std::abs(piece.back().x - piece.front().x) + 1;
    const auto bucket = static_cast<std::size_t>(static_cast<float>(piece.size()) / (4 * pixels));
    lines.push_back(thinned(Line{thins && bucket > 2 ? extremes(piece, bucket) : piece, {color}, width}));
  }
  return lines;
}

std::vector<Point> sparse_marks(const Pieces& pieces, const Box& box, double shift) {
  std::vector<Point> marks;
  if (pieces.empty()) return marks;
  const bool along_x = rises_or_falls(pieces);
  const double spacing = static_cast<double>(along_x ? box.width() : box.width() + box.height()) / 5;
  // Of a line over x counted from the frame, so that curves that begin elsewhere have their marks apart too.
  double gone = along_x ? static_cast<double>(std::abs(pieces.front().front().x - box.left)) : 0,
         next = shift * spacing;
  while (along_x && next < gone) next += spacing;
  Point before = pieces.front().front();
  for (const auto& piece : pieces) {
    for (const Point p : piece) {
      gone += static_cast<double>(along_x ? std::abs(p.x - before.x) : std::hypot(p.x - before.x, p.y - before.y));
      before = p;
      if (gone < next) continue;
      marks.push_back(p);
      while (next <= gone) next += spacing;
    }
  }
  // One at least, where it may be a short one.
  if (marks.empty()) marks.push_back(pieces.back()[pieces.back().size() / 2]);
  return marks;
}

std::size_t grown_to(const std::vector<double>& times, double now) {
  if (times.empty()) return 0;
  const bool falls = times.back() < times.front();
  const double limit = now + (falls ? -1e-9 : 1e-9) * std::abs(now);
  const auto come = std::ranges::partition_point(times, [&](double t) { return falls ? t >= limit : t <= limit; });
  return static_cast<std::size_t>(come - times.begin());
}

bool spans_decades(const std::vector<Curve>& curves) {
  Range range;
  for (const Curve& curve : curves) {
    for (const double y : curve.y) {
      if (y > 0) range.meet(y);
    }
  }
  return !range.empty() && range.high > 100 * range.low;
}

bool crosses(const std::vector<Point>& line, const Box& box) {
  const auto inside = [&](Point p) {
    return p.x >= box.left && p.x <= box.right && p.y >= box.top && p.y <= box.bottom;
  };
  if (line.size() == 1) return inside(line.front());
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point a = line[i - 1], b = line[i];
    if (std::max(a.x, b.x) < box.left || std::min(a.x, b.x) > box.right || std::max(a.y, b.y) < box.top ||
        std::min(a.y, b.y) > box.bottom) {
      continue;
    }
    if (inside(a) || inside(b)) return true;
    // Neither end lies inside: it crosses where corners lie on both sides of it.
    const auto side = [&](float x, float y) { return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0; };
    const bool first = side(box.left, box.top);
    if (side(box.right, box.top) != first || side(box.left, box.bottom) != first ||
        side(box.right, box.bottom) != first)
      return true;
  }
  return false;
}

}  // namespace orrery::render
