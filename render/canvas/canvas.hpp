// SPDX-License-Identifier: MIT
// The sheet that figures draw on, and how it leaves: as pixels, or as a file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "render/canvas/drawing.hpp"
#include "render/canvas/image.hpp"
#include "render/metadata/provenance.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// How large text and lines are: a share of the canvas, the same but no smaller than can be seen in a film, or what a page
/// wants, whatever the size.
enum class Lettering { by_canvas, of_film, by_page };

/// Adds its shapes to a drawing.
using Scene = std::function<void(Drawing&)>;

/// Needs no display. Any number of canvases may be alive; all are captured on one thread of the process.
class Canvas {
 public:
  /// Sides of 64 … 16384 pixels. `dpi` says how large a still prints; the look follows from the pixels alone, or from
  /// `dpi` alone. Throws Error (exit code 2) for another size.
  explicit Canvas(Size size, Theme theme = Theme::light, double dpi = 300, Lettering lettering = Lettering::by_canvas);
  /// A part of another one, of whatever size, with a look of its own.
  Canvas(Size size, const Style& style);

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] const Style& style() const { return style_; }

  /// Nothing but the ground, with so many device pixels a pixel.
  [[nodiscard]] Drawing blank(float scale = 1) const { return {size_, style_.background, scale, {}}; }

  /// The shapes of a scene, with so many device pixels a pixel.
  [[nodiscard]] Drawing drawing(const Scene& scene, float scale = 1) const;

  /// Its pixels, quickly: for films. Throws Error where there is no OpenGL, naming what to install.
  [[nodiscard]] Image capture(const Scene& scene) const;

  /// Writes it as .png, .svg or .pdf, by extension, with care rather than haste, and in it what run it is of; the file
  /// appears whole or not at all. Throws Error (exit code 2) for another extension.
  void save(const Scene& scene, const std::filesystem::path& file, const Provenance& provenance = {},
            Replacing replacing = Replacing::ours) const;

 private:
  Size size_;
  Style style_;
  double dpi_ = 300;
};

/// Why there are no pixels here, so no .png and no film, and what to install; "" where there are. The first call opens the
/// off-screen window, on the thread that is to draw.
std::string why_no_pixels();

}  // namespace orrery::render
