// SPDX-License-Identifier: MIT
// Pictures drawn by orrery as sources of scenarios.
#pragma once

#include <filesystem>
#include <string_view>

#include "common/file_format.hpp"
#include "render/film/formats.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::pipeline {

/// For --help.
inline constexpr std::string_view picture_operand_note =
    "or a picture that orrery drew: .png, .svg, .pdf, .json, .mp4, .webm, .gif";

/// Whether the extension, in any case, is that of a picture.
inline bool is_picture(const std::filesystem::path& file) {
  return render::format_with(extension_of(file)) != nullptr;
}
inline bool is_still(const std::filesystem::path& file) {
  return is_picture(file) && !render::format_with(extension_of(file))->moving;
}

/// The metadata of a picture. Throws Error, Fault::request, if it has none or cannot be read.
render::Provenance provenance_of_picture(const std::filesystem::path& file);

}  // namespace orrery::pipeline
