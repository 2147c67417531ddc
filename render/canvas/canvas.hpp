// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "render/canvas/drawing.hpp"
#include "render/canvas/image.hpp"
#include "render/metadata/provenance.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// What determines the size of text and lines: the canvas, the canvas with the minimum sizes of a film, or the printed page.
enum class Lettering { by_canvas, of_film, by_page };

/// Above this number of pixels a still is not supersampled, to save time and memory.
inline constexpr std::size_t max_supersampled = 6'000'000;

/// Adds its shapes to a drawing.
using Scene = std::function<void(Drawing&)>;

/// The surface on which a figure is drawn.
class Canvas {
 public:
  /// Sides have 64 to 16384 pixels. `dpi` sets the printed size of a still, and with Lettering::by_page the style. Throws
  /// Error (Fault::request) for other sizes.
  explicit Canvas(Size size, Theme theme = Theme::light, double dpi = 300, Lettering lettering = Lettering::by_canvas);
  /// A part of another canvas, of any size.
  Canvas(Size size, const Style& style);

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] const Style& style() const { return style_; }

  /// Returns an empty drawing whose pictures have `scale` pixels per pixel.
  [[nodiscard]] Drawing blank(float scale = 1) const { return {size_, style_.background, scale, {}}; }

  /// Returns the shapes of a scene, likewise.
  [[nodiscard]] Drawing drawing(const Scene& scene, float scale = 1) const;

  /// Returns the pixels, for films.
  [[nodiscard]] Image capture(const Scene& scene) const;

  /// Writes a .png (with supersampled pictures), .svg or .pdf, by extension, with metadata. The file appears complete or not at all. Throws
  /// Error (Fault::request) for another extension.
  void save(const Scene& scene, const std::filesystem::path& file, const Provenance& provenance = {},
            Replacing replacing = Replacing::ours) const;

 private:
  Size size_;
  Style style_;
  double dpi_ = 300;
};

}  // namespace orrery::render
