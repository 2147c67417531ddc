// SPDX-License-Identifier: MIT
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

/// Returns a PNG of `pixels`, from the top row: RGB if `channels` is 3, RGBA if it is 4. Metadata is in iTXt chunks before
/// the pixels.
std::string png_of(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                   const Provenance& provenance = {});

/// Writes a PNG with a printed size. The file appears complete or not at all. Throws Error, with exit code 2 if the name
/// belongs to a file that must not be replaced.
void write_png(const Image& image, const std::filesystem::path& file, double dpi, const Provenance& provenance = {},
               Replacing replacing = Replacing::ours);

/// Writes `bytes` to a file, likewise.
void write_whole(const std::filesystem::path& file, std::string_view bytes, Replacing replacing = Replacing::ours);

}  // namespace orrery::render
