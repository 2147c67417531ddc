// SPDX-License-Identifier: MIT
// Converts drawings to pixels.
#pragma once

#include "render/canvas/drawing.hpp"
#include "render/canvas/image.hpp"

namespace orrery::render {

/// Rows of pixels that one thread draws at once; the result does not depend on it.
inline constexpr int band_rows = 128;

/// Returns the pixels of `drawing`, antialiased. Uses all threads; call it on one thread of the process. Throws Error, also if
/// `drawing` has a Space and OpenGL is missing.
Image rasterised(const Drawing& drawing, int rows = band_rows);

/// The largest side of a picture, in device pixels.
inline constexpr int largest_side = 16384;

}  // namespace orrery::render
