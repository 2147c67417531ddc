// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "render/canvas/drawing.hpp"
#include "render/point_cloud/point_cloud.hpp"
#include "render/shown.hpp"
#include "render/view/panel.hpp"
#include "render/view/view_limits.hpp"

namespace orrery::render {

/// The coordinates along the horizontal and the vertical axis: 0 x, 1 y, 2 z.
struct Plane {
  std::size_t right = 0, up = 1;
};

/// Returns an axis named "x", "y" or "z", with the unit of length.
Axis coordinate_axis(std::size_t coordinate, Interval limits, const RunInfo& info);

/// Returns the extent along one coordinate with a margin, at least `share` of the longest side, and never empty.
Interval padded(const Extent& extent, std::size_t coordinate, double share);

/// Widens one interval about its middle until a unit has the same length on both axes of a box with this ratio.
void equalise(Interval& right, Interval& up, double box_ratio);

/// Returns the largest box of this ratio (width to height) in `room`, at the top and horizontally centred.
Box fitted_box(const Box& room, double ratio);

/// The visible part of a coordinate plane at each moment.
class PlaneView {
 public:
  /// Reads `plane` and the keys of ViewLimits. Throws ArgumentError.
  PlaneView(const Style& style, const RunInfo& info, const Reference& reference, const Arguments& arguments,
            double share);

  [[nodiscard]] Plane plane() const { return plane_; }
  /// Returns the limits of the horizontal and the vertical axis; `seen` is the frame shown, or null.
  [[nodiscard]] std::array<Interval, 2> limits(const Frame* seen) const;
  /// Returns the largest panel with the same scale on both axes that holds these limits and leaves space for labels and
  /// for `beside` pixels on the right and `above` pixels above, centred on the canvas. Its frame stays in place while limits
  /// move.
  [[nodiscard]] Panel panel(Size canvas, const Frame* seen, float beside, float above);
  /// The same for given limits of a still.
  [[nodiscard]] Panel panel(Size canvas, const std::array<Interval, 2>& limits, float beside, float above) const {
    return panel_of(canvas, limits[0], limits[1], beside, above);
  }

 private:
  [[nodiscard]] Panel panel_of(Size canvas, Interval right, Interval up, float beside, float above) const;

  Style style_;
  const RunInfo& info_;
  Plane plane_;
  ViewLimits view_limits_;
  float numbers_ = 0;  // the maximum width over the run, if limits move
};

/// Draws the outline of the box in a plane (walls as lines, periodic ends as dashes), without the parts that coincide with the
/// frame of the panel; call it between open() and close().
void draw_edges(Drawing& drawing, const Style& style, const Panel& panel, Plane plane, const Bounds& bounds);

/// Returns the projection of a position in space to a panel.
PointCloud::See projection_to(const Panel& panel, Plane plane);

/// Draws what is inside of the frame: the edges of the box, the bodies of `shown` and their paths. A still marks the starts
/// of the paths. `cloud`, whose tone mapping must be set, draws bodies that are too many for paths.
void draw_bodies(Drawing& drawing, const Panel& panel, Plane plane, const Shown& shown, const Paths& paths,
                 const PointCloud& cloud);

/// Draws the names of bodies, if they are few and it is a still, after draw_bodies().
void draw_names(Drawing& drawing, const Panel& panel, Plane plane, const Shown& shown, const PointCloud& cloud);

}  // namespace orrery::render
