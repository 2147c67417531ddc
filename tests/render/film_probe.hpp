// SPDX-License-Identifier: MIT
// A film, decoded again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/canvas/image.hpp"

namespace orrery::render {

struct FilmProperties {
  int frames = 0;
  double duration = 0;  ///< seconds
  Size size;
  std::string codec, pixel_format, color_space, color_range;
  bool opaque = true;
  std::vector<Image> images;  ///< every frame, RGB
};

/// Decodes all of it. Throws std::runtime_error where it does not play.
FilmProperties probed(const std::filesystem::path& film);

}  // namespace orrery::render
