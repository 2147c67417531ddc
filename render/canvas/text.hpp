// SPDX-License-Identifier: MIT
// How much room words take, and their outlines; the font is the one of the look.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// In pixels; the descent is positive.
struct Extents {
  float width = 0, ascent = 0, descent = 0;
};

/// The room that one line of `words` takes in a font of `size` pixels.
Extents extents_of(const std::string& words, float size, bool bold = false);

/// From the place of `text` to the left end of its baseline, as it lies before it is turned, in device pixels
/// of `scale`.
Point baseline_offset(const Text& text, float scale = 1);

/// The room that `text` takes on the canvas.
Box room_of(const Text& text);

/// The words as the `d` of an SVG path, with the left end of the baseline at the origin and y down.
std::string outline_of(const std::string& words, float size, bool bold = false);

}  // namespace orrery::render
