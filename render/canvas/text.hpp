// SPDX-License-Identifier: MIT
// Glyphs, extents and outlines of text in the font of font_file(). All functions may be called on several threads.
#pragma once

#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

struct Glyph {
  char32_t letter;
  unsigned index;  ///< in the font; that of □ if the letter is missing
  double at;       ///< distance from the left end of the baseline, in font sizes
};

struct GlyphRun {
  std::vector<Glyph> glyphs;  ///< one per letter
  double width = 0;           ///< distance to the right end of the baseline, in font sizes
};

/// Returns the glyphs of `words` in one line, with kerning.
GlyphRun glyphs_of(const std::string& words, bool bold);

/// In pixels; the descent is positive.
struct Extents {
  float width = 0, ascent = 0, descent = 0;
};

/// Returns the extents of a line of text in a font of `size` pixels.
ORRERY_EXPORT Extents extents_of(const std::string& words, float size, bool bold = false);

/// Returns the width of the widest of these lines.
float widest_of(const std::vector<std::string>& lines, float size);

/// Returns the vector from the position of `text` to the left end of its baseline, before rotation.
ORRERY_EXPORT Point baseline_offset(const Text& text);

/// Returns the bounding box of `text` on the canvas.
ORRERY_EXPORT Box room_of(const Text& text);

/// Returns the outlines as the attribute `d` of an SVG path, with the left end of the baseline at the origin and y down.
std::string outline_of(const std::string& words, float size, bool bold = false);

}  // namespace orrery::render
