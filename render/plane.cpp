// SPDX-License-Identifier: MIT
// Trails below starts below bodies, so that nothing hides where a body is now.
#include "render/plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/cloud.hpp"
#include "render/furniture.hpp"

namespace orrery::render {
namespace {

double side(const Extent& extent, std::size_t k) {
  return extent.high[k] - extent.low[k];
}

double longest_side(const Extent& extent) {
  const double longest = std::max({side(extent, 0), side(extent, 1), side(extent, 2)});
  if (std::isfinite(longest) && longest > 0) return longest;
  // All bodies rest in one place: as much around it as it is far from the origin.
  double reach = 0;
  for (std::size_t k = 0; k < 3; ++k) reach = std::max(reach, std::abs(extent.low[k]));
  return std::isfinite(reach) && reach > 0 ? reach : 1;
}

void draw_cloud(Drawing& drawing, const Look& look, const Panel& panel, Plane plane, const Frame& frame,
                const Cast& cast) {
  const auto components = color_indices(cast, frame.size());
  std::vector<Dot> dots;
  dots.reserve(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const auto x = static_cast<double>(frame.position[3 * i + plane.right]);
    const auto y = static_cast<double>(frame.position[3 * i + plane.up]);
    if (std::isfinite(x) && std::isfinite(y)) dots.push_back({panel.at(x, y), components[i]});
  }
  drawing.add(cloud(look, panel.box(), drawing.scale, dots));
}

}  // namespace

Axis coordinate_axis(std::size_t coordinate, Interval limits, const Cast& cast) {
  Axis axis;
  axis.limits = limits;
  axis.name = std::array{"x", "y", "z"}[coordinate];
  axis.unit = cast.length_unit;
  return axis;
}

Interval padded(const Extent& extent, std::size_t coordinate, double share) {
  const double longest = longest_side(extent), margin = 0.06 * longest;
  const double length = std::isfinite(side(extent, coordinate)) ? side(extent, coordinate) : 0;
  const double half = std::max(length / 2 + margin, share * longest / 2);
  const double middle = (extent.low[coordinate] + extent.high[coordinate]) / 2;
  return std::isfinite(middle) ? Interval{middle - half, middle + half} : Interval{-half, half};
}

void equalise(Interval& right, Interval& up, double box_ratio) {
  const auto widen = [](Interval& interval, double length) {
    const double middle = interval.middle();
    interval = {middle - length / 2, middle + length / 2};
  };
  if (right.length() < up.length() * box_ratio) {
    widen(right, up.length() * box_ratio);
  } else {
    widen(up, right.length() / box_ratio);
  }
}

Box fitted_box(const Box& room, double ratio) {
  const auto r = static_cast<float>(ratio);
  const float width = std::max(8.F, std::min(room.width(), room.height() * r)), height = width / r;
  return {room.middle() - width / 2, room.top, room.middle() + width / 2, room.top + height};
}

void draw_bodies(Drawing& drawing, const Look& look, const Panel& panel, Plane plane, const Paths& paths,
                 const Cast& cast, bool still) {
  if (paths.empty()) return;
  const std::size_t n = paths.bodies();
  if (n > most_bodies_with_paths) return draw_cloud(drawing, look, panel, plane, paths.now(), cast);
  const auto pixel = [&](const std::array<float, 3>& at) {
    return panel.at(static_cast<double>(at[plane.right]), static_cast<double>(at[plane.up]));
  };
  for (std::size_t body = 0; body < n; ++body) {
    const Color color = body_color(look.theme, body);
    Line line{{}, {}, look.path_line};
    for (const Waypoint& w : paths.of(body)) {
      line.points.push_back(pixel(w.at));
      if (!still) line.colors.push_back(faded(color, std::pow(static_cast<double>(w.freshness), 1.3)));
    }
    if (still) line.colors = {color};
    drawing.add(thinned(std::move(line)));
  }
  const auto radii = body_radii(look, cast, n);
  const auto place = [](const Frame& frame, std::size_t i) {
    return std::array{frame.position[3 * i], frame.position[3 * i + 1], frame.position[3 * i + 2]};
  };
  for (std::size_t body = 0; still && body < n && body < paths.first().size(); ++body) {
    drawing.add(Disc{pixel(place(paths.first(), body)), 0.72F * radii[body], look.background,
                     body_color(look.theme, body), 0.9F * look.path_line});
  }
  // The largest first: a moon before its planet would be lost.
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
  for (const std::size_t body : order) {
    const auto now = place(paths.now(), body);
    if (!std::isfinite(now[0] + now[1] + now[2])) continue;
    drawing.add(
        Disc{pixel(now), radii[body], body_color(look.theme, body), look.background, 0.8F * look.frame_line});
  }
}

}  // namespace orrery::render
