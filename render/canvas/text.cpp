// SPDX-License-Identifier: MIT
// Text is measured by VTK, as it will be painted, and outlined by FreeType; neither needs a window.
#include "render/canvas/text.hpp"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

#include <initializer_list>
#include <iterator>

#include "render/canvas/glyphs.hpp"
#include "render/canvas/vtk_text.hpp"

namespace orrery::render {
namespace {

// VTK's text is 72 dots an inch here, so that a point is a pixel.
constexpr int dpi = 72;

/// One glyph on its way into the `d` of a path, `pen` font units from the start; FreeType counts y upwards.
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
  vtkNew<vtkTextProperty> property;
  set_font(property, size, bold);
  vtkTextRenderer::Metrics metrics;
  if (words.empty() || !vtkTextRenderer::GetInstance()->GetMetrics(property, drawable(words, bold), metrics, dpi,
                                                                   vtkTextRenderer::FreeType)) {
    return {};
  }
  return {static_cast<float>(metrics.BoundingBox[1] - metrics.BoundingBox[0] + 1),
          static_cast<float>(metrics.Ascent.GetY()), static_cast<float>(-metrics.Descent.GetY())};
}

Point baseline_offset(const Text& text, float scale) {
  const Extents room = extents_of(text.words, text.size * scale, text.bold);
  const float left = text.across == Across::center ? -room.width / 2 : text.across == Across::right ? -room.width : 0;
  // Middle: of the digits and capitals, which stand on the baseline and fill some 0.84 of the ascent.
  const float down = text.along == Along::top ? room.ascent : text.along == Along::middle ? 0.42F * room.ascent : 0;
  return {left, down};
}

Box room_of(const Text& text) {
  const Extents room = extents_of(text.words, text.size, text.bold);
  const Point from = baseline_offset(text);
  const auto [x, y] = text.at;
  if (text.upwards) return {x + from.y - room.ascent, y - from.x - room.width, x + from.y + room.descent, y - from.x};
  return {x + from.x, y + from.y - room.ascent, x + from.x + room.width, y + from.y + room.descent};
}

std::string outline_of(const std::string& words, float size, bool bold) {
  // By FreeType itself: VTK's own outlines leave out every letter beyond ASCII.
  FT_Face face = face_of(bold);
  std::string path;
  const double scale = static_cast<double>(size) / face->units_per_EM;
  for (const Glyph& glyph : glyphs_of(words, bold)) {
    if (FT_Load_Glyph(face, glyph.index, FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM) != 0) continue;
    Outline outline{path, scale, glyph.at * face->units_per_EM};
    outline.trace(face->glyph->outline);
  }
  return path;
}

}  // namespace orrery::render
