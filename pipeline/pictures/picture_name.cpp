// SPDX-License-Identifier: MIT
// What a picture is called, in builds with and without pictures.
#include <algorithm>
#include <array>
#include <string_view>

#include "common/file_format.hpp"
#include "pipeline/pictures/picture_file.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 3> stills{".png", ".svg", ".pdf"};
constexpr std::array<std::string_view, 3> films{".mp4", ".webm", ".gif"};

}  // namespace

bool is_still(const std::filesystem::path& file) {
  return std::ranges::find(stills, format_of(file)) != stills.end();
}

bool is_picture(const std::filesystem::path& file) {
  return is_still(file) || std::ranges::find(films, format_of(file)) != films.end();
}

}  // namespace orrery::pipeline
