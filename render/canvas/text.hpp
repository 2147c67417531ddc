// SPDX-License-Identifier: MIT
// Extents and outlines of text in the font of font_file().
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// In pixels; the descent is positive.
struct Extents {
  float width = 0, ascent = 0, descent = 0;
};

/// Returns the extents of a line of text in a font of `size` pixels.
Extents extents_of(const std::string& words, float size, bool bold = false);

/// Returns the vector from the position of `text` to the left end of its baseline, before rotation.
Point baseline_offset(const Text& text);

/// Returns the bounding box of `text` on the canvas.
Box room_of(const Text& text);

/// Returns the outlines as the attribute `d` of an SVG path, with the left end of the baseline at the origin and y down.
std::string outline_of(const std::string& words, float size, bool bold = false);

}  // namespace orrery::render
