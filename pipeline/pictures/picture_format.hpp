// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "pipeline/scenario/section.hpp"
#include "render/canvas/drawing.hpp"
#include "render/film/codec.hpp"

namespace orrery::pipeline {

// All throw Error, exit code 2, with the location of the key.

/// Checks the name `file`, which must have no folders, and returns its format: of a film if `moving`.
const render::Format& checked_format(const Section& section, const std::filesystem::path& file, bool moving);
/// From `size`, `width` and `dpi`, in pixels.
render::Size size_of(const Section& section, const render::Format& format);
/// From `fps`, in frames per second.
double rate_of(const Section& section, const render::Format& format);
/// From `max_file_size`, in bytes; 0: no limit.
std::uintmax_t most_bytes_of(const Section& section, const std::filesystem::path& file, const render::Format& format);
/// From `codec`; nullopt for a format without codecs. Throws also if the codec is not available.
std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file,
                                      const render::Format& format);
/// From `pixel_format`, one of render::pixel_formats. Throws also if no encoder of the codec writes it.
std::string_view pixel_format_of(const Section& section, const std::filesystem::path& file,
                                 std::optional<render::Codec> codec);

}  // namespace orrery::pipeline
