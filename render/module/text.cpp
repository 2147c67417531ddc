// SPDX-License-Identifier: MIT
#include "render/module/text.hpp"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <mutex>

#include "common/error.hpp"
#include "common/utf8.hpp"
#include "render/style/palette.hpp"

namespace orrery::render::pictures_module {
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
  std::mutex mutex;  ///< locked by those who use the others
};

Measures& measures() {
  static Measures all;
  return all;
}

/// Appends the outline of a glyph, `pen` font units from the start, to the attribute `d` of a path; FreeType's y points up.
struct Outline {
  std::string& path;
  double scale, pen;

  void put(const FT_Vector* p) {
    fmt::format_to(std::back_inserter(path), "{:.2f} {:.2f} ", (static_cast<double>(p->x) + pen) * scale,
                   -static_cast<double>(p->y) * scale);
  }

  void trace(FT_Outline& outline) {
    FT_Outline_Funcs to{};
    to.move_to = [](const FT_Vector* p, void* self) { return static_cast<Outline*>(self)->step('M', {p}); };
    to.line_to = [](const FT_Vector* p, void* self) { return static_cast<Outline*>(self)->step('L', {p}); };
    to.conic_to = [](const FT_Vector* a, const FT_Vector* p, void* self) {
      return static_cast<Outline*>(self)->step('Q', {a, p});
    };
    to.cubic_to = [](const FT_Vector* a, const FT_Vector* b, const FT_Vector* p, void* self) {
      return static_cast<Outline*>(self)->step('C', {a, b, p});
    };
    FT_Outline_Decompose(&outline, &to, this);
  }

  int step(char command, std::initializer_list<const FT_Vector*> points) {
    path += command;
    for (const FT_Vector* p : points) put(p);
    return 0;
  }
};

}  // namespace

FT_FaceRec_* face_for_cairo(bool bold) {
  static const Faces faces;
  return bold ? faces.bold : faces.plain;
}

GlyphRun glyphs_of(const std::string& words, bool bold) {
  GlyphRun run;
  const std::scoped_lock lock(measures().mutex);
  Measured& measured = bold ? measures().bold : measures().plain;
  double pen = 0;
  FT_UInt before = 0;
  const double em = measured.face->units_per_EM;
  for (const char32_t letter : code_points(in_one_line(words))) {
    const Letter& glyph = measured[letter];
    FT_Vector kerning{0, 0};
    if (before != 0) FT_Get_Kerning(measured.face, before, glyph.index, FT_KERNING_UNSCALED, &kerning);
    pen += static_cast<double>(kerning.x);
    run.glyphs.push_back({letter, glyph.index, pen / em});
    pen += glyph.advance;
    before = glyph.index;
  }
  run.width = pen / em;
  return run;
}

std::string outline_of(const std::string& words, float size, bool bold) {
  std::string path;
  const GlyphRun run = glyphs_of(words, bold);
  const std::scoped_lock lock(measures().mutex);
  FT_Face face = (bold ? measures().bold : measures().plain).face;
  const double scale = static_cast<double>(size) / face->units_per_EM;
  for (const Glyph& glyph : run.glyphs) {
    if (FT_Load_Glyph(face, glyph.index, FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM) != 0) continue;
    Outline outline{path, scale, glyph.at * face->units_per_EM};
    outline.trace(face->glyph->outline);
  }
  return path;
}

}  // namespace orrery::render::pictures_module
