// SPDX-License-Identifier: MIT
// A picture as the scenario of the run that it shows: `run`, `check` and `info` take one where they take a file of text.
#pragma once

#include <filesystem>
#include <string_view>

#include "render/metadata/provenance.hpp"

namespace orrery::pipeline {

/// For --help.
inline constexpr std::string_view or_a_picture = "or a picture that orrery drew: .png, .svg, .pdf, .mp4, .webm, .gif";

/// By the extension: .png, .svg, .pdf, .mp4, .webm, .gif, in small letters or capitals.
bool is_picture(const std::filesystem::path& file);
bool is_still(const std::filesystem::path& file);

/// What a picture says of its run. Throws Error, exit code 2, where it says nothing or cannot be read.
render::Provenance told_by_picture(const std::filesystem::path& file);

}  // namespace orrery::pipeline
