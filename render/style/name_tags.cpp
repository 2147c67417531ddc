// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/canvas/text.hpp"
#include "render/shown.hpp"
#include "render/style/annotations.hpp"

namespace orrery::render {
namespace {

/// The maximum fraction of the area of a name that may cover lines.
constexpr double max_covered = 0.12;

bool apart(const Box& a, const Box& b) {
  return a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;
}

Box around(Point center, float radius) {
  return {center.x - radius, center.y - radius, center.x + radius, center.y + radius};
}

/// Returns the shapes of a drawing; those of scenes with perspective as in vector formats.
std::vector<Shape> flat_shapes(const Drawing& drawing) {
  std::vector<Shape> shapes;
  for (const Shape& shape : drawing.shapes) {
    const auto* space = std::get_if<Space>(&shape);
    if (space == nullptr) {
      shapes.push_back(shape);
    } else {
      std::ranges::move(space->scene->shapes(), std::back_inserter(shapes));
    }
  }
  return shapes;
}

/// Returns the boxes of shapes that names must not cover.
std::vector<Box> taken_by(const std::vector<Shape>& shapes) {
  std::vector<Box> taken;
  for (const Shape& shape : shapes) {
    if (const auto* disc = std::get_if<Disc>(&shape)) taken.push_back(around(disc->center, disc->radius));
    if (const auto* ball = std::get_if<Ball>(&shape)) taken.push_back(around(ball->center, ball->radius));
    if (const auto* text = std::get_if<Text>(&shape)) taken.push_back(room_of(*text));
  }
  return taken;
}

/// Returns the fraction of the box that is covered by lines other than the grid.
double covered(const std::vector<Shape>& shapes, const Style& style, const Box& box) {
  const float cell = 0.25F * style.tick_text;
  const auto columns = static_cast<std::size_t>(std::ceil(box.width() / cell)),
             rows = static_cast<std::size_t>(std::ceil(box.height() / cell));
  std::vector<bool> cells(columns * rows, false);
  for (const Shape& shape : shapes) {
    const auto* line = std::get_if<Line>(&shape);
    if (line == nullptr || line->colors.empty() || line->colors.front() == style.grid) continue;
    for (std::size_t i = 1; i < line->points.size(); ++i) {
      const Point a = line->points[i - 1], b = line->points[i];
      if (std::max(a.x, b.x) < box.left || std::min(a.x, b.x) > box.right || std::max(a.y, b.y) < box.top ||
          std::min(a.y, b.y) > box.bottom)
        continue;
      const int parts = 1 + static_cast<int>(std::min(2 * std::hypot(b.x - a.x, b.y - a.y) / cell, 1e4F));
      for (int k = 0; k <= parts; ++k) {
        const float s = static_cast<float>(k) / static_cast<float>(parts);
        const float x = a.x + s * (b.x - a.x) - box.left, y = a.y + s * (b.y - a.y) - box.top;
        if (x < 0 || x >= box.width() || y < 0 || y >= box.height()) continue;
        cells[static_cast<std::size_t>(y / cell) * columns + static_cast<std::size_t>(x / cell)] = true;
      }
    }
  }
  return static_cast<double>(std::ranges::count(cells, true)) / static_cast<double>(cells.size());
}

/// Returns the name at eight places around a disc, in order of preference.
std::vector<Text> places(const Style& style, const std::string& name, const Disc& mark) {
  const float size = style.tick_text, off = mark.radius + 0.4F * size, up = 0.7F * mark.radius + 0.3F * size;
  const auto at = [&](float dx, float dy, Across across, Along along) {
    return Text{name, {mark.center.x + dx, mark.center.y + dy}, size, style.ink, across, along};
  };
  return {at(off, 0, Across::left, Along::middle),      at(-off, 0, Across::right, Along::middle),
          at(up, -up, Across::left, Along::baseline),   at(-up, -up, Across::right, Along::baseline),
          at(up, up, Across::left, Along::top),         at(-up, up, Across::right, Along::top),
          at(0, -off, Across::center, Along::baseline), at(0, off, Across::center, Along::top)};
}

}  // namespace

void tag_bodies(Drawing& drawing, const Shown& shown, const Box& room, const std::function<Disc(std::size_t)>& mark) {
  const auto& names = shown.info.names;
  if (!shown.style.legended || !shown.still || shown.paths.empty() || shown.names == "never" ||
      names.size() != shown.paths.bodies())
    return;
  const bool always = shown.names == "always";
  const std::vector<Shape> shapes = flat_shapes(drawing);
  std::vector<Box> taken = taken_by(shapes);
  std::vector<std::pair<double, Text>> tags;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Disc disc = mark(i);
    if (names[i].empty() || disc.radius <= 0) continue;
    std::optional<std::pair<double, Text>> best;
    for (Text& tag :
         places(shown.style, fitted(names[i], shown.style.tick_text, false, 9 * shown.style.tick_text), disc)) {
      const Box box = room_of(tag);
      const bool inside =
          box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
      const auto hidden = std::ranges::count_if(taken, [&](const Box& other) { return !apart(box, other); });
      if (!inside || (hidden > 0 && !always)) continue;
      const double lines = static_cast<double>(hidden) + covered(shapes, shown.style, box);
      if ((lines <= max_covered || always) && (!best || lines < best->first)) best = {lines, std::move(tag)};
    }
    if (!best) continue;
    taken.push_back(room_of(best->second));
    tags.push_back(std::move(*best));
  }
  for (auto& [lines, tag] : tags) {
    if (lines > 0) drawing.fill(room_of(tag), faded(shown.style.background, 0.7));
    drawing.add(std::move(tag));
  }
}

}  // namespace orrery::render
