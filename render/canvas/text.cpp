// SPDX-License-Identifier: MIT
#include "render/canvas/text.hpp"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <initializer_list>
#include <iterator>

#include "render/canvas/glyphs.hpp"

namespace orrery::render {
namespace {

// Of DejaVu Sans, in font sizes: the height of ascenders and the depth of descenders.
constexpr float ascent = 0.76F, descent = 0.236F;

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

Extents extents_of(const std::string& words, float size, bool bold) {
  if (words.empty()) return {};
  return {static_cast<float>(glyphs_of(words, bold).width) * size, ascent * size, descent * size};
}

Point baseline_offset(const Text& text) {
  const Extents extents = extents_of(text.words, text.size, text.bold);
  const float left = text.across == Across::center  ? -extents.width / 2
                     : text.across == Across::right ? -extents.width
                                                    : 0;
  // Middle: of digits and capitals, which are 0.73 font sizes high.
  const float down = text.along == Along::top ? extents.ascent : text.along == Along::middle ? 0.365F * text.size : 0;
  return {left, down};
}

Box room_of(const Text& text) {
  const Extents extents = extents_of(text.words, text.size, text.bold);
  const Point from = baseline_offset(text);
  const auto [x, y] = text.at;
  if (text.upwards)
    return {x + from.y - extents.ascent, y - from.x - extents.width, x + from.y + extents.descent, y - from.x};
  return {x + from.x, y + from.y - extents.ascent, x + from.x + extents.width, y + from.y + extents.descent};
}

std::string outline_of(const std::string& words, float size, bool bold) {
  std::string path;
  const GlyphRun run = glyphs_of(words, bold);
  with_face(bold, [&](FT_Face face) {
    const double scale = static_cast<double>(size) / face->units_per_EM;
    for (const Glyph& glyph : run.glyphs) {
      if (FT_Load_Glyph(face, glyph.index, FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM) != 0) continue;
      Outline outline{path, scale, glyph.at * face->units_per_EM};
      outline.trace(face->glyph->outline);
    }
  });
  return path;
}

}  // namespace orrery::render
