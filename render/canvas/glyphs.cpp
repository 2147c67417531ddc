// SPDX-License-Identifier: MIT
#include "render/canvas/glyphs.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>

#include "common/error.hpp"
#include "common/utf8.hpp"
#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {
namespace {

struct Faces {
  FT_Library library = nullptr;
  FT_Face plain = nullptr, bold = nullptr;
  Faces() {
    if (FT_Init_FreeType(&library) != 0 || FT_New_Face(library, font_file().c_str(), 0, &plain) != 0 ||
        FT_New_Face(library, font_file(true).c_str(), 0, &bold) != 0) {
      throw Error("cannot read the font " + font_file());
    }
  }
};

constexpr char32_t missing = U'□';

}  // namespace

FT_FaceRec_* face_of(bool bold) {
  static const Faces faces;
  return bold ? faces.bold : faces.plain;
}

std::string drawable(const std::string& words, bool bold) {
  if (std::ranges::all_of(words, [](char c) { return c >= 0x20 && c < 0x7F && c != '$'; })) return words;
  std::string drawn;
  for (const char32_t letter : code_points(in_one_line(words))) {
    if (letter == '$' && drawn.ends_with('\\')) drawn += '\\';  // VTK removes one
    append_utf8(drawn, FT_Get_Char_Index(face_of(bold), letter) == 0 ? missing : letter);
  }
  return drawn;
}

std::vector<Glyph> glyphs_of(const std::string& words, bool bold) {
  FT_Face face = face_of(bold);
  std::vector<Glyph> glyphs;
  double pen = 0;
  FT_UInt before = 0;
  for (const char32_t letter : code_points(in_one_line(words))) {
    FT_UInt index = FT_Get_Char_Index(face, letter);
    if (index == 0) index = FT_Get_Char_Index(face, missing);
    FT_Vector kerning{0, 0};
    if (before != 0) FT_Get_Kerning(face, before, index, FT_KERNING_UNSCALED, &kerning);
    pen += static_cast<double>(kerning.x);
    glyphs.push_back({letter, index, pen / face->units_per_EM});
    if (FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM) == 0)
      pen += static_cast<double>(face->glyph->advance.x);
    before = index;
  }
  return glyphs;
}

}  // namespace orrery::render
