// SPDX-License-Identifier: MIT
#include "render/chart/chart_curves.hpp"

#include <algorithm>
#include <functional>

namespace orrery::render {
namespace {

/// The maximum number of marks of a curve that goes back and forth.
constexpr double max_marks = 12;

/// Returns the position of a value on an axis, not finite if it has none.
double on(const ChartAxis& axis, double value) {
  return axis.logarithmic ? value > 0 ? std::log10(value) : std::nan("") : value;
}

std::size_t size_of(const Curve& curve) {
  const std::size_t points = std::min(curve.x.size(), curve.y.size());
  return is_band(curve) ? std::min(points, curve.low.size()) : points;
}

/// The minimum length of a logarithmic axis, so that it has two tick labels.
constexpr double min_decades = 0.6;

/// Returns limits that include the range.
Interval around(const ValueRange& range, bool logarithmic, double margin) {
  if (range.empty()) return logarithmic ? Interval{-1, 1} : Interval{0, 1};
  const double length = range.high - range.low;
  if (logarithmic) {
    const double air = std::max(0.04 * length, (min_decades - length) / 2);
    return {range.low - air, range.high + air};
  }
  // Values that differ only by rounding are constant, for readable tick labels.
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (!is_constant({range.low, range.high})) return {range.low - margin * length, range.high + margin * length};
  const double half = size > 0 ? 0.5 * size : 0.5, middle = range.low + length / 2;
  return {middle - half, middle + half};
}

/// Returns the limits of the axis, if they are given and not finer than rounding.
std::optional<Interval> given(const ChartAxis& axis) {
  if (!axis.limits) return std::nullopt;
  const Interval limits{on(axis, axis.limits->low), on(axis, axis.limits->high)};
  // Ticks of an axis that is hardly longer than the rounding of its values would need all their digits.
  const double size = std::max(std::abs(limits.low), std::abs(limits.high));
  return limits.length() > 1e-13 * size ? std::optional(limits) : std::nullopt;
}

bool has_marks(const Curve& curve) {
  return curve.stroke == Curve::Stroke::marks || curve.stroke == Curve::Stroke::both;
}

bool is_monotone_in_x(const Curve& curve) {
  std::vector<double> x = curve.x;
  std::erase_if(x, [](double at) { return std::isnan(at); });  // gaps
  return std::ranges::is_sorted(x) || std::ranges::is_sorted(x, std::greater{});
}

/// Calls visit(x, y) with the positions of all points that limits must include: those of guides only if there are no other
/// curves.
template <class Visit>
void each_point(const Chart& chart, const Visit& visit) {
  const bool guides_alone = std::ranges::all_of(chart.curves, is_guide);
  for (const Curve& curve : chart.curves) {
    if (is_guide(curve) && !guides_alone) continue;
    // On a logarithmic axis the lower end of a band, which may be close to 0, would dominate the limits.
    const double least = chart.y.logarithmic && !curve.y.empty() ? std::ranges::max(curve.y) / 100 : -INFINITY;
    for (std::size_t i = 0; i < size_of(curve); ++i) {
      visit(on(chart.x, curve.x[i]), on(chart.y, curve.y[i]));
      if (!is_band(curve)) continue;
      visit(on(chart.x, curve.x[i]), on(chart.y, std::max(curve.low[i], least)));
    }
  }
}

bool is_monotone(std::span<const Point> points) {
  bool rises = true, falls = true;
  float before = std::nanf("");
  for (const Point p : points) {
    if (is_gap(p)) continue;
    rises = rises && !(p.x < before);
    falls = falls && !(p.x > before);
    before = p.x;
  }
  return rises || falls;
}

/// Returns the highest and the lowest of every `bucket` points, in their order.
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

Axis axis_of(const ChartAxis& axis, Interval limits) {
  return {.limits = limits,
          .name = axis.name,
          .unit = axis.unit,
          .logarithmic = axis.logarithmic,
          .unit_length = axis.unit_length,
          .dates = axis.dates};
}

Interval x_limits(std::span<const Chart> charts) {
  ValueRange range;
  bool marks = false, turns = false;
  for (const Chart& chart : charts) {
    if (const auto limits = given(chart.x)) return *limits;
    marks = marks || std::ranges::any_of(chart.curves, has_marks);
    turns = turns || !std::ranges::all_of(chart.curves, is_monotone_in_x);
    each_point(chart, [&](double x, double) { range.add(x); });
  }
  return around(range, charts.front().x.logarithmic, turns ? 0.06 : marks ? 0.03 : 0);
}

Interval y_limits(const Chart& chart, Interval x_range) {
  if (const auto limits = given(chart.y)) return *limits;
  ValueRange range;
  each_point(chart, [&](double x, double y) {
    if (x >= x_range.low && x <= x_range.high) range.add(y);
  });
  Interval limits = around(range, chart.y.logarithmic, 0.08);
  // The margin must not extend the axis of positive values, such as distances, below 0.
  if (!chart.y.logarithmic && range.low > 0 && !range.empty()) limits.low = std::max(limits.low, 0.0);
  return limits;
}

bool has_points(const Chart& chart) {
  bool any = false;
  each_point(chart, [&](double x, double y) { any = any || std::isfinite(x + y); });
  return any;
}

std::size_t grown(const Curve& curve, std::optional<double> now) {
  const bool grows = now && !curve.time.empty();
  return grows ? std::min(size_of(curve), grown_to(curve.time, *now)) : size_of(curve);
}

std::vector<Point> points_of(const Panel& panel, const Chart& chart, const Curve& curve) {
  std::vector<Point> points;
  points.reserve(size_of(curve));
  for (std::size_t i = 0; i < size_of(curve); ++i) {
    const double x = on(chart.x, curve.x[i]), y = on(chart.y, curve.y[i]);
    const bool there = std::isfinite(x) && std::isfinite(y);
    points.push_back(there ? panel.at(x, y) : Point{std::nanf(""), std::nanf("")});
  }
  return points;
}

Pieces pieces_of(std::span<const Point> points) {
  Pieces pieces;
  for (auto from = points.begin(); from != points.end();) {
    const auto to = std::find_if(from, points.end(), is_gap);
    if (to != from) pieces.emplace_back(from, to);
    from = std::find_if_not(to, points.end(), is_gap);
  }
  return pieces;
}

std::vector<std::vector<Span>> spans_of(const Panel& panel, const Chart& chart, const Curve& curve, std::size_t count) {
  std::vector<std::vector<Span>> pieces;
  const double bottom = panel.vertical().limits.low;
  bool joined = false;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = on(chart.x, curve.x[i]), high = on(chart.y, curve.y[i]);
    const double low = chart.y.logarithmic && curve.low[i] <= 0 ? bottom : on(chart.y, curve.low[i]);
    const bool there = std::isfinite(x + high + low);
    if (there && !joined) pieces.emplace_back();
    if (there) pieces.back().push_back({panel.at(x, high), panel.at(x, std::min(low, high))});
    joined = there;
  }
  return pieces;
}

std::size_t points_per_quarter(std::span<const Point> points) {
  if (!is_monotone(points)) return 1;
  std::size_t count = 0;
  Point first{}, last{};
  for (const Point p : points) {
    if (is_gap(p)) continue;
    if (count++ == 0) first = p;
    last = p;
  }
  const float pixels = std::abs(last.x - first.x) + 1;
  return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<float>(count) / (4 * pixels)));
}

std::vector<Line> lines_of(std::span<const Point> points, std::size_t bucket, Color color, float width) {
  std::vector<Line> lines;
  for (auto& piece : pieces_of(points)) {
    if (piece.size() < 2) continue;
    lines.push_back(thinned(Line{bucket > 2 ? extremes(piece, bucket) : std::move(piece), {color}, width}));
  }
  return lines;
}

std::vector<std::size_t> sparse_marks(std::span<const Point> points, const Box& box, double shift) {
  std::vector<std::size_t> marks;
  const auto first = std::ranges::find_if_not(points, is_gap);
  if (first == points.end()) return marks;
  const bool along_x = is_monotone(points);
  double spacing = static_cast<double>(along_x ? box.width() : box.width() + box.height()) / 5;
  // Far outside of the frame the way may even be infinite.
  const auto way = [&](Point a, Point b) {
    const auto all = static_cast<double>(along_x ? std::abs(b.x - a.x) : std::hypot(b.x - a.x, b.y - a.y));
    return std::min(all, 1e6 * spacing);
  };
  if (!along_x) {  // marks of many turns would cover the curve
    double whole = 0;
    Point last = *first;
    for (const Point p : points) {
      if (is_gap(p)) continue;
      whole += way(last, p);
      last = p;
    }
    spacing = std::max(spacing, whole / max_marks);
  }
  // Count from the frame for a monotone curve, so that marks of curves with different starts stay separate.
  double gone = along_x ? static_cast<double>(std::abs(first->x - box.left)) : 0, next = shift * spacing;
  if (along_x && next < gone) next += std::ceil((gone - next) / spacing) * spacing;
  Point before = *first;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point p = points[i];
    if (is_gap(p)) continue;
    gone += way(before, p);
    before = p;
    if (gone < next) continue;
    marks.push_back(i);
    next += (std::floor((gone - next) / spacing) + 1) * spacing;
  }
  return marks;
}

std::size_t grown_to(const std::vector<double>& times, double now) {
  if (times.empty()) return 0;
  const bool falls = times.back() < times.front();
  const double limit = now + (falls ? -1e-9 : 1e-9) * std::abs(now);
  const auto end = std::ranges::partition_point(times, [&](double t) { return falls ? t >= limit : t <= limit; });
  return static_cast<std::size_t>(end - times.begin());
}

bool spans_decades(const std::vector<Curve>& curves) {
  ValueRange range;
  for (const Curve& curve : curves) range.add_positive(curve.y);
  return !range.empty() && range.high > 100 * range.low;
}

bool crosses(const std::vector<Point>& line, const Box& box) {
  if (line.size() == 1) return holds(box, line.front());
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point a = line[i - 1], b = line[i];
    if (std::max(a.x, b.x) < box.left || std::min(a.x, b.x) > box.right || std::max(a.y, b.y) < box.top ||
        std::min(a.y, b.y) > box.bottom) {
      continue;
    }
    if (holds(box, a) || holds(box, b)) return true;
    // Neither end is inside: the segment crosses the box if corners are on both sides of it.
    const auto side = [&](float x, float y) { return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0; };
    const bool first = side(box.left, box.top);
    if (side(box.right, box.top) != first || side(box.left, box.bottom) != first ||
        side(box.right, box.bottom) != first)
      return true;
  }
  return false;
}

}  // namespace orrery::render
