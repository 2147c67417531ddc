// SPDX-License-Identifier: MIT
#include "render/view/plane.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>

#include "render/chart/marks.hpp"
#include "render/style/annotations.hpp"

namespace orrery::render {
namespace {

double side(const Extent& extent, std::size_t k) {
  return extent.high[k] - extent.low[k];
}

double longest_side(const Extent& extent) {
  const double longest = std::max({side(extent, 0), side(extent, 1), side(extent, 2)});
  if (std::isfinite(longest) && longest > 0) return longest;
  // All bodies are in one place: use its distance from the origin.
  double reach = 0;
  for (std::size_t k = 0; k < 3; ++k) reach = std::max(reach, std::abs(extent.low[k]));
  return std::isfinite(reach) && reach > 0 ? reach : 1;
}

/// Returns the width of the rim that separates overlapping bodies; half of it is inside the disc.
float rim_width(const Style& style) {
  return 0.8F * style.frame_line;
}

/// Returns the radii of bodies, smaller in a small panel, where a star would hide its planets.
std::vector<float> radii_in(const Panel& panel, const Shown& shown) {
  const float side =
      std::max(panel.box().width(), panel.box().height());  // the same for the three planes of `projections`
  const float share = shown.style.mark > 0 ? 1 : std::clamp(std::sqrt(side / (700 * shown.style.unit)), 0.5F, 1.F);
  auto radii = body_radii(shown.style, shown.info, shown.paths.bodies());
  const float least = shown.style.min_radius > 0 ? shown.style.min_radius + rim_width(shown.style) / 2 : 0;
  for (float& radius : radii) radius = std::max(least, radius * share);
  return radii;
}

/// `name` is "xy", "xz" or "yz".
Plane plane_named(std::string_view name) {
  return {name == "yz" ? 1U : 0U, name == "xy" ? 1U : 2U};
}

}  // namespace

Axis coordinate_axis(std::size_t coordinate, Interval limits, const RunInfo& info) {
  const ShownUnit unit = shown_length(info);
  return {
      .limits = limits, .name = std::array{"x", "y", "z"}[coordinate], .unit = unit.name, .unit_length = unit.length};
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

PlaneView::PlaneView(const Style& style, const RunInfo& info, const Reference& reference, const Arguments& arguments,
                     double share)
    : style_(style),
      info_(info),
      plane_(plane_named(arguments.text("plane"))),
      view_limits_(info, reference, arguments, {plane_.right, plane_.up}, share) {}

std::array<Interval, 2> PlaneView::limits(const Frame* seen) const {
  const Volume volume = view_limits_.at(seen);
  return {volume.limits[plane_.right], volume.limits[plane_.up]};
}

Panel PlaneView::panel_of(Size canvas, Interval right, Interval up, float beside, float above) const {
  const double ratio = right.length() / up.length();
  Margins around = first_margins(style_);
  double step = 0;  // the same on both axes, since they share their scale
  for (int pass = 0;; ++pass) {
    const Box room = room_for_panels(style_, canvas, around, beside, above);
    Box box = fitted_box(room, ratio);
    const float down = (room.height() - box.height()) / 2;
    box.top += down;
    box.bottom += down;
    equalise(right, up, static_cast<double>(box.width() / box.height()));
    Axis x = coordinate_axis(plane_.right, right, info_), y = coordinate_axis(plane_.up, up, info_);
    x.step = y.step = step;
    x.largest = y.largest = largest_of(std::array{right, up});
    x.room = y.room = numbers_;
    Panel panel(style_, box, x, y);
    if (pass == 2) return panel;
    around = panel.margins();
    step = std::max(step, panel.step());
  }
}

Panel PlaneView::panel(Size canvas, const Frame* seen, float beside, float above) {
  if (numbers_ == 0) {
    numbers_ = view_limits_.widest([&](const Volume& volume) {
      return panel_of(canvas, volume.limits[plane_.right], volume.limits[plane_.up], beside, above).numbers();
    });
  }
  const auto [right, up] = limits(seen);
  return panel_of(canvas, right, up, beside, above);
}

PointCloud::See projection_to(const Panel& panel, Plane plane) {
  return [&panel, plane](const float* at) {
    return Dot{panel.at(static_cast<double>(at[plane.right]), static_cast<double>(at[plane.up]))};
  };
}

void draw_bodies(Drawing& drawing, const Panel& panel, Plane plane, const Shown& shown, const Paths& paths,
                 const PointCloud& cloud) {
  const Style& style = shown.style;
  draw_edges(drawing, style, panel, plane, shown.reference.bounds());
  if (paths.empty()) return;
  if (shown.is_point_cloud()) {
    cloud.draw(drawing, paths.now(), panel.box(), projection_to(panel, plane));
    return;
  }
  const std::size_t n = paths.bodies();
  // Paths below starts below bodies, so that nothing hides the present positions.
  const PointCloud::See project = projection_to(panel, plane);
  for (std::size_t body = 0; body < n; ++body) {
    for (const PathPiece& piece : paths.of(body)) {
      Line line{{}, {}, style.path_line};
      for (const Waypoint& w : piece) {
        line.points.push_back(project(w.at.data()).at);
        line.colors.push_back(faded(shown.coloring.of(body, w.shade), std::pow(static_cast<double>(w.freshness), 1.3)));
      }
      if (line.points.size() == 1 && paths.has_dots())
        drawing.add(Disc{line.points.front(), style.path_line, line.colors.front()});
      else
        draw_line_of_run(drawing, thinned(std::move(line)), shown.info.run);
    }
  }
  const auto radii = radii_in(panel, shown);
  for (std::size_t body = 0; shown.still && body < n && body < paths.first().size(); ++body) {
    drawing.add(Disc{project(&paths.first().position[3 * body]).at, 0.72F * radii[body], style.background,
                     shown.coloring.of(body, shade_of(paths.first(), body)), 0.9F * style.path_line});
  }
  // Largest first, so that planets do not hide their moons.
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t body) { return radii[body]; });
  for (const std::size_t body : order) {
    const float* now = &paths.now().position[3 * body];
    if (!std::isfinite(now[0] + now[1] + now[2])) continue;
    drawing.add(Disc{project(now).at, radii[body], shown.coloring.of(body, shade_of(paths.now(), body)),
                     style.background, rim_width(style)});
  }
}

void draw_names(Drawing& drawing, const Panel& panel, Plane plane, const Shown& shown, const PointCloud& cloud) {
  if (shown.is_point_cloud()) {
    const PointCloud::See see = projection_to(panel, plane);
    return tag_bodies(drawing, shown, panel.box(),
                      [&](std::size_t body) { return cloud.disc_of(body, shown.paths.now(), panel.box(), see); });
  }
  const auto radii = radii_in(panel, shown);
  tag_bodies(drawing, shown, panel.box(), [&](std::size_t body) {
    const float* at = &shown.paths.now().position[3 * body];
    if (!std::isfinite(at[0] + at[1] + at[2])) return Disc{{}, 0, {}};
    return Disc{projection_to(panel, plane)(at).at, radii[body], {}};
  });
}

}  // namespace orrery::render
