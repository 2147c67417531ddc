// SPDX-License-Identifier: MIT
// Bodies and their paths in perspective; and the axes of a view in space: three walls with a grid behind the bodies, and tick
// labels along the outer edges.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/shown.hpp"
#include "render/view/camera.hpp"

namespace orrery::render {

class BodyScene;

/// Draws what is inside the volume: bodies, paths, the edges of the box and, with `floor`, the shadows of paths. A still also
/// marks the starts.
void draw_in_space(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, bool floor);

/// Writes the names of bodies, if few and in a still, within `room`; call it after draw_in_space().
void draw_names(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, const Box& room);

/// Adds the edges of the box within `volume` to a scene: walls as lines, periodic ends as dashes.
void add_edges(BodyScene& scene, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds);
/// Draws the edges of the box within `volume`: those behind all bodies or, with `front`, those in front of them.
void draw_edges(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera, const Bounds& bounds,
                bool front);

/// Draws walls, grid, tick labels and names ("x [au]"); call it before the bodies are drawn.
void draw_axes3d(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera,
                 const ShownUnit& unit);

/// The space that tick labels and names take around the axes, in pixels: on the left, which depends on the length of the labels,
/// and below.
struct Axes3DMargins {
  float left = 0, below = 0;
};
Axes3DMargins axes3d_margins(const Style& style, const Volume& volume, const Camera& camera, double unit = 1);

}  // namespace orrery::render
