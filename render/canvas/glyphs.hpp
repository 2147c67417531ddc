// SPDX-License-Identifier: MIT
// The font's glyphs along a line of text, for outlines and for fonts within files; seen by this room alone.
#pragma once

#include <string>
#include <vector>

struct FT_FaceRec_;

namespace orrery::render {

/// Of the look's font; open until the process ends. Throws Error where it cannot be read.
FT_FaceRec_* face_of(bool bold);

/// One letter of a line.
struct Glyph {
  char32_t letter;
  unsigned index;  ///< in the font; that of □ for what is missing
  double at;       ///< behind the left end of the baseline, in sizes of the font
};

/// `words` as VTK wants them: in one line, with □ for each letter that the font does not have, which it would leave out
/// without a word.
std::string drawable(const std::string& words, bool bold);

/// Kerned, one for each letter.
std::vector<Glyph> glyphs_of(const std::string& words, bool bold);

}  // namespace orrery::render
