// SPDX-License-Identifier: MIT
// Writes PDF with cairo. Text is passed as glyphs, so that letters have the same positions as in SVG.
#include <cairo-pdf.h>

#include "common/utf8.hpp"
#include "render/canvas/image.hpp"
#include "render/metadata/formats.hpp"
#include "render/module/module.hpp"
#include "render/module/painter.hpp"

namespace orrery::render::pictures_module {
namespace {

cairo_status_t append(void* bytes, const unsigned char* data, unsigned size) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

/// Returns valid UTF-8, as cairo requires.
std::string valid_utf8(const std::string& words) {
  std::string text;
  for (const char32_t letter : code_points(words)) append_utf8(text, letter);
  return text;
}

}  // namespace

std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance) {
  std::string bytes;
  const double points = 72 / dpi;  // per pixel
  const double width = drawing.size.width * points, height = drawing.size.height * points;
  const cairo::Surface page(cairo_pdf_surface_create_for_stream(append, &bytes, width, height));
  // Newer versions store the properties in compressed objects.
  cairo_pdf_surface_restrict_to_version(page.get(), CAIRO_PDF_VERSION_1_4);
  const auto say = [&](cairo_pdf_metadata_t what, const char* text) {
    cairo_pdf_surface_set_metadata(page.get(), what, text);
  };
  say(CAIRO_PDF_METADATA_CREATE_DATE, nullptr);  // for reproducible files
  if (!provenance.empty()) {
    say(CAIRO_PDF_METADATA_CREATOR, valid_utf8(provenance.version).c_str());
    say(CAIRO_PDF_METADATA_SUBJECT, valid_utf8(std::string(pdf_subject) + provenance.state).c_str());
    say(CAIRO_PDF_METADATA_KEYWORDS, valid_utf8(provenance.scenario).c_str());
  }
  const cairo::Context context(cairo_create(page.get()));
  cairo_scale(context.get(), points, points);
  Painter painter(context.get(), Output::pages);
  const auto w = static_cast<float>(drawing.size.width), h = static_cast<float>(drawing.size.height);
  painter.paint(Area{{{0, 0}, {w, 0}, {w, h}, {0, h}}, drawing.background});
  for (const Shape& shape : drawing.shapes) std::visit([&](const auto& s) { painter.paint(s); }, shape);
  cairo::check(cairo_status(context.get()));
  const auto lock = lock_fonts();  // those that are embedded
  cairo_surface_finish(page.get());
  cairo::check(cairo_surface_status(page.get()));
  return bytes;
}

}  // namespace orrery::render::pictures_module
