// SPDX-License-Identifier: MIT
#include "render/view/body_scene.hpp"
#include "render/view/plane.hpp"
#include "render/view/space.hpp"

#include <algorithm>
#include <cmath>

#include "render/chart/marks.hpp"

namespace orrery::render {
namespace {

Color edge_color(const Style& style, bool wall) {
  return mixed(style.pane, style.frame, wall ? 1 : 0.75);
}

/// Returns the lines of an edge: one if it is a wall, otherwise dashes.
std::vector<Line> edge_lines(const Style& style, Point a, Point b, bool wall) {
  const Line line{{a, b}, {edge_color(style, wall)}, style.frame_line};
  if (wall) return {line};
  const float dash = 9 * style.unit;
  return dashed(line, dash, 0.7F * dash);
}

void draw_edge(Drawing& drawing, const Style& style, Point a, Point b, bool wall) {
  for (Line& line : edge_lines(style, a, b, wall)) drawing.add(std::move(line));
}

/// Returns the ends of the box along an axis: the visible range `seen` if it is open, {0, 0} for z in two dimensions.
Interval side_of(const Bounds& bounds, std::size_t axis, Interval seen) {
  if (bounds.closed[axis]) return {bounds.low[axis], bounds.high[axis]};
  return bounds.dimensions == 2 && axis == 2 ? Interval{0, 0} : seen;
}

/// Calls visit(from, to, is_wall, is_in_front) for each edge of the box within the volume; an edge is in front if all bodies are
/// behind it.
template <class Visit>
void for_edges(const Volume& volume, const Camera& camera, const Bounds& bounds, const Visit& visit) {
  for (std::size_t k = 0; k < 3; ++k) {  // the axis along the edge
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const Interval along = side_of(bounds, k, volume.limits[k]);
    const double from = std::max(along.low, volume.limits[k].low), to = std::min(along.high, volume.limits[k].high);
    if (!(from < to) || (!bounds.closed[i] && !bounds.closed[j])) continue;
    const Interval u = side_of(bounds, i, volume.limits[i]), v = side_of(bounds, j, volume.limits[j]);
    const bool wall = (bounds.closed[i] && !bounds.periodic[i]) || (bounds.closed[j] && !bounds.periodic[j]);
    for (unsigned corner = 0; corner < 4; ++corner) {
      const bool above = (corner & 1U) != 0, beyond = (corner & 2U) != 0;
      if ((above && u.low == u.high) || (beyond && v.low == v.high)) continue;
      Place p{}, q{};
      p[k] = from, q[k] = to;
      p[i] = q[i] = above ? u.high : u.low;
      p[j] = q[j] = beyond ? v.high : v.low;
      const auto inside = [&](std::size_t axis) {
        const double slack = 1e-9 * volume.limits[axis].length();
        return p[axis] >= volume.limits[axis].low - slack && p[axis] <= volume.limits[axis].high + slack;
      };
      if (!inside(i) || !inside(j)) continue;
      const bool flat = u.low == u.high || v.low == v.high;
      const bool near = !flat && (above ? 1 : -1) * camera.eye()[i] > 0 && (beyond ? 1 : -1) * camera.eye()[j] > 0;
      visit(p, q, wall, near);
    }
  }
}

}  // namespace

void draw_edges(Drawing& drawing, const Style& style, const Panel& panel, Plane plane, const Bounds& bounds) {
  const Interval across = panel.horizontal().limits, upwards = panel.vertical().limits;
  const Interval x = side_of(bounds, plane.right, across), y = side_of(bounds, plane.up, upwards);
  const Box& box = panel.box();
  const auto seen = [](float at, float low, float high) { return at > low + 1 && at < high - 1; };
  const auto within = [](Interval a, Interval b) { return Interval{std::max(a.low, b.low), std::min(a.high, b.high)}; };
  const Interval u = within(x, across), v = within(y, upwards);
  for (const double end : {x.low, x.high}) {
    const Point a = panel.at(end, v.low), b = panel.at(end, v.high);
    if (bounds.closed[plane.right] && seen(a.x, box.left, box.right))
      draw_edge(drawing, style, a, b, !bounds.periodic[plane.right]);
  }
  for (const double end : {y.low, y.high}) {
    const Point a = panel.at(u.low, end), b = panel.at(u.high, end);
    if (bounds.closed[plane.up] && seen(a.y, box.top, box.bottom))
      draw_edge(drawing, style, a, b, !bounds.periodic[plane.up]);
  }
}

void draw_edges(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds,
                bool front) {
  for_edges(volume, camera, bounds, [&](const Place& p, const Place& q, bool wall, bool near) {
    if (near == front) draw_edge(drawing, style, camera.at(p), camera.at(q), wall);
  });
}

void add_edges(BodyScene& scene, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds) {
  for_edges(volume, camera, bounds, [&](const Place& p, const Place& q, bool wall, bool) {
    // Of the dashes on the canvas, the ends in space follow from their perspective.
    const Point a = camera.at(p), b = camera.at(q);
    const double along_a = 1 / camera.magnification(p), along_b = 1 / camera.magnification(q);
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    const auto place_of_pixel = [&](Point at) {
      const double s = length > 0 ? static_cast<double>(std::hypot(at.x - a.x, at.y - a.y) / length) : 0;
      const double t = s * along_a / (s * along_a + (1 - s) * along_b);
      return Place{p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])};
    };
    for (const Line& line : edge_lines(style, a, b, wall)) {
      constexpr int steps = 32;  // short in depth
      BodyScene::Path path{{}, line.colors, line.width};
      const Point from = line.points.front(), to = line.points.back();
      for (int i = 0; i <= steps; ++i) {
        const float s = static_cast<float>(i) / steps;
        path.points.push_back(place_of_pixel({from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)}));
      }
      scene.add(path);
    }
  });
}

}  // namespace orrery::render
