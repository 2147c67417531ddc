// SPDX-License-Identifier: MIT
// Draws shapes with cairo, into pixels or a PDF. Private to render/canvas.
#pragma once

#include "render/canvas/cairo.hpp"
#include "render/canvas/drawing.hpp"

namespace orrery::render {

enum class Output {
  pixels,  ///< text, clips and pictures are aligned to pixels
  pages    ///< text stays text, pictures keep their resolution
};

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

}  // namespace orrery::render
