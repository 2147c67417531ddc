// SPDX-License-Identifier: MIT
#include "render/chart/marks.hpp"

#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace orrery::render {
namespace {

/// A regular polygon whose first corner lies `turn` of a full turn from straight up.
std::vector<Point> polygon(Point at, float radius, int corners, double turn) {
  std::vector<Point> points;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * M_PI * (turn + static_cast<double>(k) / corners);
    points.push_back(
        {at.x + radius * static_cast<float>(std::sin(angle)), at.y - radius * static_cast<float>(std::cos(angle))});
  }
  return points;
}

struct Shaped {
  int corners;
  double turn;
  float larger;  ///< so that all marks look equally large
};
constexpr Shaped polygons[] = {{4, 0.125, 1.2F}, {3, 0, 1.3F}, {4, 0, 1.25F}, {3, 0.5, 1.3F}};

void draw_strokes(Drawing& drawing, std::size_t which, Point at, float radius, Color color, float width) {
  // A plus, a cross, and both together, a star.
  constexpr double turns[] = {0, 0.25, 0.125, 0.375};
  const std::span<const double> all(turns);
  const auto arms = which == 0 ? all.first(2) : which == 1 ? all.last(2) : all;
  for (const double turn : arms) {
    const auto ends = polygon(at, 1.1F * radius, 2, turn);
    drawing.line(ends[0], ends[1], color, width);
  }
}

}  // namespace

void draw_mark(Drawing& drawing, const Style& style, std::size_t i, Point at, float radius, Color color) {
  const std::size_t mark = i % different_marks, shape = mark % 5;
  const bool open = mark >= 5;
  const float stroke = 0.34F * radius;
  if (mark >= 10) {
    // A background keeps strokes visible on a dense curve of the same colour.
    draw_strokes(drawing, mark - 10, at, 1.1F * radius, style.background, 2.4F * stroke);
    draw_strokes(drawing, mark - 10, at, radius, color, stroke);
    return;
  }
  if (open) draw_mark(drawing, style, mark - 5, at, 1.25F * radius, style.background);
  const Color rim = open ? color : style.background;
  const float width = open ? stroke : 0.2F * radius;
  if (shape == 0) {
    drawing.add(Disc{at, radius, open ? style.background : color, rim, width});
    return;
  }
  const Shaped& of = polygons[shape - 1];
  std::vector<Point> corners = polygon(at, of.larger * radius, of.corners, of.turn);
  drawing.add(Area{corners, open ? style.background : color});
  // Start in the middle of a side, so that all corners get a join.
  const Point middle{(corners.front().x + corners.back().x) / 2, (corners.front().y + corners.back().y) / 2};
  corners.insert(corners.begin(), middle);
  corners.push_back(middle);
  drawing.add(Line{std::move(corners), {rim}, width});
}

std::vector<Line> dashed(const Line& line, std::span<const float> pattern) {
  constexpr float max_dashes = 1e5;
  std::vector<Line> pieces;
  if (line.points.size() < 2) return pieces;
  float period = 0;
  for (const float part : pattern) period += part;
  std::size_t now = 0;        // part of the pattern; those with even numbers are drawn
  float left = pattern[now];  // of it
  const bool varies = line.colors.size() == line.points.size();
  Line piece{{line.points.front()}, varies ? std::vector{line.colors.front()} : line.colors, line.width};
  const auto drawing = [&] { return now % 2 == 0; };
  const auto end = [&] {
    if (drawing() && piece.points.size() > 1) pieces.push_back(piece);
    piece.points.clear();
    if (varies) piece.colors.clear();
  };
  const auto add = [&](Point at, std::size_t i) {
    piece.points.push_back(at);
    if (varies) piece.colors.push_back(line.colors[i]);
  };
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    Point from = line.points[i - 1];
    const Point to = line.points[i];
    float length = std::hypot(to.x - from.x, to.y - from.y);
    // A segment of very many dashes lies mostly outside of the picture; and `length` would not decrease if they were
    // shorter than its rounding.
    if (!(length <= max_dashes * period)) {
      if (drawing()) add(to, i);
      continue;
    }
    while (length >= left) {
      const float s = left / length;
      from = {from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)};
      length -= left;
      if (drawing()) add(from, i);
      end();
      now = (now + 1) % pattern.size();
      left = pattern[now];
      if (drawing()) add(from, i);
    }
    left -= length;
    if (drawing()) add(to, i);
  }
  end();
  return pieces;
}

void draw_line_of_run(Drawing& drawing, Line line, std::size_t run) {
  // In widths of the line.
  static constexpr std::array<float, 2> dashes{5, 2.5F}, dots{1.2F, 2}, long_dashes{11, 3}, sparse_dots{1.5F, 5};
  static constexpr std::array<float, 4> dash_dot{6, 2, 1.2F, 2};
  static constexpr std::array<float, 6> dash_dot_dot{6, 2, 1.2F, 2, 1.2F, 2};
  static constexpr std::array<std::span<const float>, different_runs - 1> patterns{
      dashes, dots, dash_dot, long_dashes, dash_dot_dot, sparse_dots};
  if (run % different_runs == 0) return drawing.add(std::move(line));
  std::vector<float> pixels;
  for (const float part : patterns[run % different_runs - 1]) pixels.push_back(part * line.width);
  for (Line& dash : dashed(line, pixels)) drawing.add(std::move(dash));
}

}  // namespace orrery::render
