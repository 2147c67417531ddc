// SPDX-License-Identifier: MIT
// Pixels as they leave the canvas, and PNG.
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

/// RGB, 8 bits a channel, sRGB; rows from the top, without padding: size.height x size.width x 3.
struct Image {
  Size size;
  std::vector<std::uint8_t> rgb;

  [[nodiscard]] Color at(int x, int y) const {
    const std::uint8_t* p =
        &rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) + static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2]};
  }
};

/// Each pixel the mean of factor x factor of `image`, whose sides are multiples of `factor`.
Image reduced(const Image& image, int factor);

/// A PNG of `pixels`, rows from the top: RGB where `channels` is 3, RGBA where it is 4. Where `provenance` is not empty it
/// stands in iTXt chunks before the pixels.
std::string png_of(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                   const Provenance& provenance = {});

/// Writes a PNG that says how large it prints; the file appears whole or not at all. Throws Error: exit code 2 where the name
/// is taken by what may not be replaced.
void write_png(const Image& image, const std::filesystem::path& file, double dpi, const Provenance& provenance = {},
               Replacing replacing = Replacing::ours);

/// `bytes` under the name `file`, whole or not at all. Throws Error as write_png does.
void write_whole(const std::filesystem::path& file, std::string_view bytes, Replacing replacing = Replacing::ours);

}  // namespace orrery::render
