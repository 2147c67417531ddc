// SPDX-License-Identifier: MIT
// Bodies, their paths and their starts as seen along an axis; limits of equal scale.
#pragma once

#include <cstddef>
#include <string_view>

#include "render/canvas/drawing.hpp"
#include "render/point_cloud/point_cloud.hpp"
#include "render/shown.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// Which coordinates go to the right and up: 0 x, 1 y, 2 z.
struct Plane {
  std::size_t right = 0, up = 1;
};

/// "x", "y" or "z" for a coordinate, with its unit, over these limits.
Axis coordinate_axis(std::size_t coordinate, Interval limits, const RunInfo& info);

/// The extent along one coordinate with a margin around it; at least `share` of the longest side, and never empty.
Interval padded(const Extent& extent, std::size_t coordinate, double share);

/// The longer of the two is kept, the other widened about its middle, until a unit is as long on both.
void equalise(Interval& right, Interval& up, double box_ratio);

/// The largest box of this ratio (width to height) in `room`, at its top, in the middle.
Box fitted_box(const Box& room, double ratio);

/// "xy", "xz" or "yz".
Plane plane_named(std::string_view name);

/// The largest panel of equal scale that holds both intervals and leaves room for what stands around it, and
/// `beside` pixels on the right; all of it in the middle of the canvas. `numbers`: no other moment has wider ones.
Panel plane_panel(const Style& style, Size canvas, Plane plane, Interval right, Interval up, const RunInfo& info,
                  float beside, float numbers = 0);

/// Where in a panel a place in space is.
PointCloud::See seen_in(const Panel& panel, Plane plane);

/// Everything inside the frame: bodies of `shown` and these paths of theirs. In a still the starts are marked. `cloud`: draws them
/// where they are many; it is exposed.
void draw_bodies(Drawing& drawing, const Panel& panel, Plane plane, const Shown& shown, const Paths& paths,
                 const PointCloud& cloud);

/// The names of few bodies of a still, upon what draw_bodies() drew.
void draw_names(Drawing& drawing, const Panel& panel, Plane plane, const Shown& shown);

}  // namespace orrery::render
