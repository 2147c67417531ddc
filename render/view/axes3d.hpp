// SPDX-License-Identifier: MIT
// The axes of a view in space: three walls with a grid behind the bodies, and tick labels along the outer edges.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"
#include "render/view/camera.hpp"

namespace orrery::render {

/// Draws walls, grid, tick labels and names ("x [au]"); call it before the bodies are drawn.
void draw_axes3d(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera,
                 const std::string& length_unit);

/// The space that tick labels and names take around the axes, in pixels: on the left, which depends on the length of the labels,
/// and below.
struct Axes3DMargins {
  float left = 0, below = 0;
};
Axes3DMargins axes3d_margins(const Style& style, const Volume& volume, const Camera& camera);

}  // namespace orrery::render
