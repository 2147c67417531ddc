// SPDX-License-Identifier: MIT
// What a picture is called, in builds with and without pictures.
#include "common/file_format.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "render/film/formats.hpp"

namespace orrery::pipeline {

bool is_still(const std::filesystem::path& file) {
  const auto* format = render::format_with(format_of(file));
  return format != nullptr && !format->moving;
}

bool is_picture(const std::filesystem::path& file) {
  return render::format_with(format_of(file)) != nullptr;
}

}  // namespace orrery::pipeline
