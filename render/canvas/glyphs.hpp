// SPDX-License-Identifier: MIT
// Glyphs of the font of font_file(). All functions may be called on several threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

struct FT_FaceRec_;

namespace orrery::render {

/// Returns a FreeType face for cairo, which stays open; cairo locks it. Throws Error if the font cannot be read.
FT_FaceRec_* face_for_cairo(bool bold);

/// Calls use(face) with another face of the same font, on one thread at a time.
void with_face(bool bold, const std::function<void(FT_FaceRec_*)>& use);

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

}  // namespace orrery::render
