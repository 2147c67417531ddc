// SPDX-License-Identifier: MIT
#include "render/chart/marks.hpp"

#include <cmath>
#include <span>

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

std::vector<Line> dashed(const Line& line, float on, float off) {
  constexpr float max_dashes = 1e5;
  std::vector<Line> pieces;
  if (line.points.size() < 2) return pieces;
  bool drawing = true;
  float left = on;  // of the current dash or gap
  Line piece{{line.points.front()}, line.colors, line.width};
  const auto end = [&] {
    if (drawing && piece.points.size() > 1) pieces.push_back(piece);
    piece.points.clear();
  };
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    Point from = line.points[i - 1];
    const Point to = line.points[i];
    float length = std::hypot(to.x - from.x, to.y - from.y);
    // A segment of very many dashes lies mostly outside of the picture; and `length` would not decrease if they were
    // shorter than its rounding.
    if (!(length <= max_dashes * (on + off))) {
      if (drawing) piece.points.push_back(to);
      continue;
    }
    while (length >= left) {
      const float s = left / length;
      from = {from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)};
      length -= left;
      if (drawing) piece.points.push_back(from);
      end();
      drawing = !drawing;
      left = drawing ? on : off;
      if (drawing) piece.points = {from};
    }
    left -= length;
    if (drawing) piece.points.push_back(to);
  }
  end();
  return pieces;
}

}  // namespace orrery::render
