// SPDX-License-Identifier: MIT
// A drawing becomes pixels: by VTK, off screen.
#pragma once

#include "render/canvas/drawing.hpp"
#include "render/canvas/image.hpp"

namespace orrery::render {

/// Device pixels that are drawn at once at most; a larger picture is drawn in bands of a third of it.
inline constexpr std::size_t drawn_at_once = 24'000'000;

/// `drawing` with `scale` device pixels a pixel, antialiased. On one thread of the process. Throws Error
/// without OpenGL.
Image rasterised(const Drawing& drawing, int scale = 1, std::size_t most = drawn_at_once);

/// The largest side of a picture, in device pixels.
inline constexpr int largest_side = 16384;

}  // namespace orrery::render
