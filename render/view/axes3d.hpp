// SPDX-License-Identifier: MIT
// The axes of a view in space: three walls with a grid behind the bodies, and numbers along the outer edges.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"
#include "render/view/camera.hpp"

namespace orrery::render {

/// Draws walls, grid, numbers and names ("x [au]"); to be called before the bodies are drawn.
void draw_axes3d(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera,
                 const std::string& length_unit);

/// The room that numbers and names take around the axes, in pixels: on the left, which depends on how long
/// the numbers are, and below.
struct Axes3DMargins {
  float left = 0, below = 0;
};
Axes3DMargins axes3d_margins(const Style& style, const Volume& volume, const Camera& camera);

}  // namespace orrery::render
