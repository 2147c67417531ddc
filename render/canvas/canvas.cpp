// SPDX-License-Identifier: MIT
#include "render/canvas/canvas.hpp"

#include <fmt/format.h>

#include <system_error>

#include "common/error.hpp"

namespace orrery::render {

Canvas::Canvas(Size size, Theme theme, double dpi, Lettering lettering)
    : Canvas(size, lettering == Lettering::by_page   ? render::style(theme, dpi / 300)
                   : lettering == Lettering::of_film ? film_style(theme, size)
                                                     : render::style(theme, size)) {
  dpi_ = dpi;
  style_.point = static_cast<float>(dpi / 72);
  style_.paged = lettering == Lettering::by_page;
  const auto fits = [](int side) { return side >= 64 && side <= largest_side; };
  if (!fits(size.width) || !fits(size.height)) {
    throw Error(fmt::format("a picture of {} × {} pixels cannot be drawn: each side may have 64 to {}", size.width,
                            size.height, largest_side),
                Fault::request);
  }
}

Canvas::Canvas(Size size, const Style& style) : size_(size), style_(fitted(style, size)) {}

Drawing Canvas::drawing(const Scene& scene, float scale) const {
  Drawing drawing = blank(scale);
  scene(drawing);
  drawing.add(Clip{});
  return drawing;
}

Image Canvas::capture(const Scene& scene) const {
  return rasterised(drawing(scene));
}

void Canvas::save(const Scene& scene, const std::filesystem::path& file, const Provenance& provenance,
                  Replacing replacing) const {
  if (file.extension() == ".svg") return write_whole(file, svg_of(drawing(scene, 2), dpi_, provenance), replacing);
  if (file.extension() == ".pdf") return write_whole(file, pdf_of(drawing(scene, 2), dpi_, provenance), replacing);
  if (file.extension() != ".png") {
    throw Error("cannot write " + file.string() + ": a still is a .png, .svg or .pdf", Fault::request);
  }
  const auto pixels = static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height);
  write_png(rasterised(drawing(scene, pixels <= max_supersampled ? 2 : 1)), file, dpi_, provenance, replacing);
}

void write_png(const Image& image, const std::filesystem::path& file, double dpi, const Provenance& provenance,
               Replacing replacing) {
  write_whole(file, png_of(image.size, image.rgb, 3, dpi, provenance), replacing);
}

void write_whole(const std::filesystem::path& file, std::string_view bytes, Replacing replacing) {
  try {
    NewFile draft(file);
    draft.write(bytes);
    draft.rename_to(file, replacing, drawn_by_orrery);
  } catch (const std::system_error& failure) {
    throw Error("cannot write " + file.string() + ": " + failure.code().message());
  }
}

}  // namespace orrery::render
