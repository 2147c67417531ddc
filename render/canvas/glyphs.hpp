// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

struct FT_FaceRec_;

namespace orrery::render {

/// Returns the FreeType face of font_file(), which stays open. Throws Error if it cannot be read.
FT_FaceRec_* face_of(bool bold);

struct Glyph {
  char32_t letter;
  unsigned index;  ///< in the font; that of □ if the letter is missing
  double at;       ///< distance from the left end of the baseline, in font sizes
};

/// Returns `words` in one line, with □ for letters that the font does not have, which VTK would drop silently.
std::string drawable(const std::string& words, bool bold);

/// Returns one glyph per letter, with kerning.
std::vector<Glyph> glyphs_of(const std::string& words, bool bold);

}  // namespace orrery::render
