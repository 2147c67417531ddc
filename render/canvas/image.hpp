// SPDX-License-Identifier: MIT
// Drawings as pixels, SVG, PDF and PNG, and their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"
#include "render/canvas/drawing.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// The largest side of a picture, in device pixels.
inline constexpr int largest_side = 16384;

/// sRGB pixels with 8 bits per channel, from the top row: [height][width][3].
struct Image {
  Size size;
  std::vector<std::uint8_t> rgb;

  [[nodiscard]] Color at(int x, int y) const {
    const std::uint8_t* p =
        &rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) + static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2]};
  }
};

/// Rows of pixels that one thread draws at once; the result does not depend on it.
inline constexpr int band_rows = 128;

/// Returns the pixels of `drawing`, antialiased. Uses all threads. Throws Error, also if
/// `drawing` has a Space and OpenGL is missing.
Image rasterised(const Drawing& drawing, int rows = band_rows);

// Of these, `dpi` is in pixels per inch; metadata is written unless `provenance` is empty.

/// Text is written as labelled outlines, which look the same without the font.
std::string svg_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

/// One page. Text can be searched and copied; its font is embedded. Pictures keep all their pixels. Equal drawings give equal
/// bytes. Throws Error.
std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

/// Returns a PNG of `pixels`, from the top row: RGB if `channels` is 3, RGBA if it is 4. Metadata is in iTXt chunks before
/// the pixels.
std::string png_of(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                   const Provenance& provenance = {});

/// Writes a PNG with a printed size. The file appears complete or not at all. Throws Error, Fault::request if the name
/// belongs to a file that must not be replaced.
void write_png(const Image& image, const std::filesystem::path& file, double dpi, const Provenance& provenance = {},
               Replacing replacing = Replacing::ours);

/// Writes `bytes` to a file, likewise.
void write_whole(const std::filesystem::path& file, std::string_view bytes, Replacing replacing = Replacing::ours);

}  // namespace orrery::render
