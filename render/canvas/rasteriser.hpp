// SPDX-License-Identifier: MIT
// A drawing becomes pixels: by VTK, off screen.
#pragma once

#include "render/canvas/drawing.hpp"
#include "render/canvas/image.hpp"

namespace orrery::render {

/// `drawing` with `scale` device pixels a pixel, antialiased. On one thread of the process. Throws Error
/// without OpenGL.
Image rasterised(const Drawing& drawing, int scale = 1);

/// The largest side of a picture, in device pixels.
inline constexpr int largest_side = 16384;

}  // namespace orrery::render
