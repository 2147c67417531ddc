// SPDX-License-Identifier: MIT
// Writes PDF with cairo. Text is passed as glyphs, so that letters have the same positions as in SVG.
#include "render/canvas/vectors.hpp"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>

#include <cstring>
#include <memory>
#include <numbers>

#include "common/error.hpp"
#include "common/utf8.hpp"
#include "render/canvas/glyphs.hpp"
#include "render/canvas/text.hpp"
#include "render/metadata/formats.hpp"
#include "render/style/shading.hpp"

namespace orrery::render {
namespace {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* held) const {
    release(held);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using Pattern = std::unique_ptr<cairo_pattern_t, Release<cairo_pattern_destroy>>;
using Font = std::unique_ptr<cairo_font_face_t, Release<cairo_font_face_destroy>>;
using FontOptions = std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>>;

cairo_status_t append(void* bytes, const unsigned char* data, unsigned size) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(std::string("cairo refused a picture: ") + cairo_status_to_string(status));
}

/// Returns valid UTF-8, as cairo requires.
std::string valid_utf8(const std::string& words) {
  std::string text;
  for (const char32_t letter : code_points(words)) append_utf8(text, letter);
  return text;
}

/// Converts to premultiplied pixels in native byte order.
Surface image_of(const Picture& picture) {
  Surface image(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, picture.size.width, picture.size.height));
  check(cairo_surface_status(image.get()));
  cairo_surface_flush(image.get());
  unsigned char* row = cairo_image_surface_get_data(image.get());
  const std::uint8_t* from = picture.rgba.data();
  for (int y = 0; y < picture.size.height; ++y, row += cairo_image_surface_get_stride(image.get())) {
    for (int x = 0; x < picture.size.width; ++x, from += 4) {
      const unsigned alpha = from[3];
      const auto part = [&](unsigned channel) { return (channel * alpha + 127) / 255; };
      const std::uint32_t pixel = alpha << 24U | part(from[0]) << 16U | part(from[1]) << 8U | part(from[2]);
      std::memcpy(row + 4 * static_cast<std::ptrdiff_t>(x), &pixel, 4);
    }
  }
  cairo_surface_mark_dirty(image.get());
  return image;
}

class PdfWriter {
 public:
  explicit PdfWriter(cairo_t* to) : to_(to) {
    for (const bool bold : {false, true}) {
      fonts_[bold].reset(cairo_ft_font_face_create_for_ft_face(face_of(bold), 0));
    }
    const FontOptions options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(to_, options.get());
    cairo_set_line_join(to_, CAIRO_LINE_JOIN_ROUND);
  }

  void write(const Line& line) {
    cairo_set_line_width(to_, line.width);
    for (const Stretch& part : stretches(line)) {
      cairo_set_line_cap(to_, part.round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
      for (std::size_t i = part.from; i <= part.to; ++i) cairo_line_to(to_, line.points[i].x, line.points[i].y);
      ink(part.color);
      cairo_stroke(to_);
    }
  }

  void write(const Area& area) {
    for (const Point p : area.points) cairo_line_to(to_, p.x, p.y);
    cairo_close_path(to_);
    ink(area.color);
    cairo_fill(to_);
  }

  void write(const Disc& disc) {
    circle(disc.center, disc.radius);
    if (disc.fill.alpha > 0) {
      ink(disc.fill);
      cairo_fill_preserve(to_);
    }
    if (disc.rim.alpha > 0) {
      ink(disc.rim);
      cairo_set_line_width(to_, disc.rim_width);
      cairo_stroke_preserve(to_);
    }
    cairo_new_path(to_);
  }

  void write(const Ball& ball) {
    const Shades shades = shades_of(ball.color);
    const double x = ball.center.x + shades.x * ball.radius, y = ball.center.y + shades.y * ball.radius;
    const Pattern pattern(cairo_pattern_create_radial(x, y, 0, x, y, shades.radius * ball.radius));
    for (const auto& [offset, c] : shades.stops)
      cairo_pattern_add_color_stop_rgb(pattern.get(), offset, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
    cairo_set_source(to_, pattern.get());
    circle(ball.center, ball.radius);
    cairo_fill(to_);
  }

  void write(const Text& text) {
    const auto letters = glyphs_of(text.words, text.bold);
    if (letters.empty()) return;
    const Point from = baseline_offset(text);
    std::string words;
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;  // letters per glyph, for search and copy
    for (const Glyph& letter : letters) {
      const std::size_t before = words.size();
      append_utf8(words, letter.letter);
      glyphs.push_back({letter.index, from.x + letter.at * static_cast<double>(text.size), from.y});
      clusters.push_back({static_cast<int>(words.size() - before), 1});
    }
    cairo_save(to_);
    cairo_translate(to_, text.at.x, text.at.y);
    if (text.upwards) cairo_rotate(to_, -std::numbers::pi / 2);
    cairo_set_font_face(to_, fonts_[text.bold].get());
    cairo_set_font_size(to_, text.size);
    ink(text.color);
    cairo_show_text_glyphs(to_, words.data(), static_cast<int>(words.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()), {});
    cairo_restore(to_);
  }

  void write(const Picture& picture) {
    if (const std::vector<Patch> cells = patches(picture); !cells.empty()) {
      for (const Patch& patch : cells) {
        // Overlap slightly, since viewers that smooth edges would show gaps.
        constexpr float over = 0.1F;
        for (const Box& b : patch.boxes) cairo_rectangle(to_, b.left, b.top, b.width() + over, b.height() + over);
        ink(patch.color);
        cairo_fill(to_);
      }
      return;
    }
    const Surface image = image_of(picture);
    cairo_save(to_);
    cairo_translate(to_, picture.box.left, picture.box.top);
    cairo_scale(to_, picture.box.width() / static_cast<float>(picture.size.width),
                picture.box.height() / static_cast<float>(picture.size.height));
    cairo_set_source_surface(to_, image.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(to_), CAIRO_FILTER_NEAREST);
    cairo_paint(to_);
    cairo_restore(to_);
  }

  void write(const Clip& clip) {
    cairo_reset_clip(to_);
    if (!clip.box) return;
    cairo_rectangle(to_, clip.box->left, clip.box->top, clip.box->width(), clip.box->height());
    cairo_clip(to_);
  }

 private:
  void ink(Color c) { cairo_set_source_rgba(to_, c.red / 255.0, c.green / 255.0, c.blue / 255.0, c.alpha / 255.0); }

  void circle(Point center, float radius) {
    cairo_new_path(to_);
    cairo_arc(to_, center.x, center.y, radius, 0, 2 * std::numbers::pi);
    cairo_close_path(to_);
  }

  cairo_t* to_;
  Font fonts_[2];
};

}  // namespace

std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance) {
  std::string bytes;
  const double points = 72 / dpi;  // per pixel
  const double width = drawing.size.width * points, height = drawing.size.height * points;
  const Surface page(cairo_pdf_surface_create_for_stream(append, &bytes, width, height));
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
  const Context context(cairo_create(page.get()));
  cairo_scale(context.get(), points, points);
  PdfWriter writer(context.get());
  const auto w = static_cast<float>(drawing.size.width), h = static_cast<float>(drawing.size.height);
  writer.write(Area{{{0, 0}, {w, 0}, {w, h}, {0, h}}, drawing.background});
  for (const Shape& shape : drawing.shapes) std::visit([&](const auto& s) { writer.write(s); }, shape);
  check(cairo_status(context.get()));
  cairo_surface_finish(page.get());
  check(cairo_surface_status(page.get()));
  return bytes;
}

}  // namespace orrery::render
