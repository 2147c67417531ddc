// SPDX-License-Identifier: MIT
// A decoded film.
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
  std::string color_primaries, color_transfer;  ///< as tagged in the file, by their names in libav
  std::vector<double> times;                    ///< of every frame, seconds
  bool opaque = true;
  std::vector<Image> images;  ///< every frame, RGB
};

/// Decodes a whole film. Throws std::runtime_error if it cannot be played.
FilmProperties probed(const std::filesystem::path& file);

}  // namespace orrery::render
