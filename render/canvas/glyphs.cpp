// SPDX-License-Identifier: MIT
#include "render/canvas/glyphs.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <map>
#include <mutex>

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

struct Letter {
  FT_UInt index = 0;
  double advance = 0;  ///< in font units
};

/// A face with the letters that were used so far.
struct Measured {
  FT_Face face;
  std::map<char32_t, Letter> letters{};

  const Letter& operator[](char32_t letter) {
    const auto [place, is_new] = letters.try_emplace(letter);
    if (!is_new) return place->second;
    FT_UInt index = FT_Get_Char_Index(face, letter);
    if (index == 0) index = FT_Get_Char_Index(face, U'□');
    place->second.index = index;
    if (FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM) == 0)
      place->second.advance = static_cast<double>(face->glyph->advance.x);
    return place->second;
  }
};

struct Measures {
  Faces faces;
  Measured plain{faces.plain}, bold{faces.bold};
  std::mutex mutex;

  void with(bool is_bold, const std::function<void(Measured&)>& use) {
    const std::scoped_lock lock(mutex);
    use(is_bold ? bold : plain);
  }
};

Measures& measures() {
  static Measures all;
  return all;
}

}  // namespace

FT_FaceRec_* face_for_cairo(bool bold) {
  static const Faces faces;
  return bold ? faces.bold : faces.plain;
}

void with_face(bool bold, const std::function<void(FT_FaceRec_*)>& use) {
  measures().with(bold, [&use](Measured& measured) { use(measured.face); });
}

GlyphRun glyphs_of(const std::string& words, bool bold) {
  const auto letters = code_points(in_one_line(words));
  GlyphRun run;
  measures().with(bold, [&](Measured& measured) {
    double pen = 0;
    FT_UInt before = 0;
    const double em = measured.face->units_per_EM;
    for (const char32_t letter : letters) {
      const Letter& glyph = measured[letter];
      FT_Vector kerning{0, 0};
      if (before != 0) FT_Get_Kerning(measured.face, before, glyph.index, FT_KERNING_UNSCALED, &kerning);
      pen += static_cast<double>(kerning.x);
      run.glyphs.push_back({letter, glyph.index, pen / em});
      pen += glyph.advance;
      before = glyph.index;
    }
    run.width = pen / em;
  });
  return run;
}

}  // namespace orrery::render
