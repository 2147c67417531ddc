// SPDX-License-Identifier: MIT
// What the keys `file`, `size`, `width`, `fps`, `max_file_size` and `codec` of a picture come to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "pipeline/scenario/section.hpp"
#include "render/canvas/drawing.hpp"
#include "render/film/codec.hpp"

namespace orrery::pipeline {

// Each throws Error with the place of the key, exit code 2. `moving`: of a film.

/// The name is plain and says a format.
void check_file(const Section& section, const std::filesystem::path& file, bool moving);
/// In pixels.
render::Size size_of(const Section& section, const std::filesystem::path& file, bool moving);
/// Frames a second.
double rate_of(const Section& section, const std::filesystem::path& file);
/// The bytes that a film may have; 0: no limit.
std::uintmax_t most_bytes_of(const Section& section, const std::filesystem::path& file);
/// What a film is encoded with, nothing where there is no choice; what cannot be is to be known before the run.
std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file);

}  // namespace orrery::pipeline
