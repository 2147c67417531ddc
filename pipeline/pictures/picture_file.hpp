// SPDX-License-Identifier: MIT
// A picture as the scenario of the run that it shows: `run`, `check` and `info` take one where they take a file of text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "render/metadata/provenance.hpp"

namespace orrery::pipeline {

/// For --help.
inline constexpr std::string_view or_a_picture = "or a picture that orrery drew: .png, .svg, .pdf, .mp4, .webm, .gif";

/// By the extension: .png, .svg, .pdf, .mp4, .webm, .gif, in small letters or capitals.
bool is_picture(const std::filesystem::path& file);
bool is_still(const std::filesystem::path& file);

/// What a picture says of its run. Throws Error, exit code 2, where it says nothing or cannot be read.
render::Provenance provenance_of_picture(const std::filesystem::path& file);

/// Whether orrery drew a picture, by what it says of itself; false in a build without pictures, which draws none.
bool drawn_by_orrery(const std::filesystem::path& file);
/// The hash of the state of the run that a file is a picture of; "" where it says none. A build without pictures reads none.
std::string state_of_picture(const std::filesystem::path& file);

}  // namespace orrery::pipeline
