// SPDX-License-Identifier: MIT
// Draws shapes with cairo, into pixels or a PDF. Private to render/canvas.
#pragma once

#include <cairo.h>

#include <memory>
#include <mutex>
#include <string>

#include "common/error.hpp"
#include "render/canvas/drawing.hpp"

// Owners of cairo's objects.
namespace orrery::render::pictures_module::cairo {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using Pattern = std::unique_ptr<cairo_pattern_t, Release<cairo_pattern_destroy>>;
using FontOptions = std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>>;

/// Throws Error unless `status` is success.
inline void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(std::string("cairo cannot draw a picture: ") + cairo_status_to_string(status));
}

}  // namespace orrery::render::pictures_module::cairo

namespace orrery::render::pictures_module {

enum class Output {
  pixels,  ///< text, clips and pictures are aligned to pixels
  pages    ///< text stays text, pictures keep their resolution
};

/// Held while a context or surface has a font. Cairo has one scaled font of each face and size for all threads, and frees it while
/// another thread that has just found it draws (1.16: "Assertion `! scaled_font->cache_frozen' failed").
[[nodiscard]] std::unique_lock<std::mutex> lock_fonts();

/// Draws on a context whose user space is pixels of the drawing.
class Painter {
 public:
  Painter(cairo_t* context, Output output);

  void paint(const Line& given);
  void paint(const Area& area);
  void paint(const Disc& disc);
  void paint(const Ball& ball);
  void paint(const Text& text);
  void paint(const Picture& picture);
  void paint(const Clip& clip);
  void paint(const Space& space);
  void paint(const Layered& layered);

 private:
  void set_color(Color color);
  void circle(Point center, float radius);
  /// Paints the outline of a box on whole pixels.
  void paint_sharp(const Line& line);
  /// Paints the part of a picture that is inside the clip, each device pixel with the nearest pixel of the picture.
  void paint_pixels(const Picture& picture);

  cairo_t* context_;
  Output output_;
};

}  // namespace orrery::render::pictures_module
