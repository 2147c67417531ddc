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

// Each throws Error with the place of the key, exit code 2.

/// The name is plain and says the format, one of films if `moving`.
const render::Format& checked_format(const Section& section, const std::filesystem::path& file, bool moving);
/// In pixels.
render::Size size_of(const Section& section, const render::Format& format);
/// Frames a second.
double rate_of(const Section& section, const render::Format& format);
/// The bytes that a film may have; 0: no limit.
std::uintmax_t most_bytes_of(const Section& section, const std::filesystem::path& file, const render::Format& format);
/// What a film is encoded with, nothing where there is no choice; what cannot be is to be known before the run.
std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file,
                                      const render::Format& format);

}  // namespace orrery::pipeline
