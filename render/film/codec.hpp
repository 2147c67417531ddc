// SPDX-License-Identifier: MIT
// The codecs of films, and whether FFmpeg has encoders for them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "render/film/formats.hpp"

namespace orrery::render {

/// Returns "h264", "hevc", "av1" or "vp9".
std::string_view name_of(Codec codec);
/// Returns nullopt for another name.
std::optional<Codec> codec_named(std::string_view name);

/// Returns the size without an odd last row or column, as required by yuv420p; films in all pixel formats have it.
constexpr Size even(Size size) {
  return {size.width & ~1, size.height & ~1};
}

/// Returns why films cannot be written with a codec, in one line with the missing and the available encoders, or "". `has`
/// returns whether FFmpeg has an encoder of that name.
std::string why_missing(Codec codec, const std::function<bool(const char* encoder)>& has);
/// The same for the installed FFmpeg.
std::string why_missing(Codec codec);

/// Returns why the installed FFmpeg, which has an encoder for the codec, writes no films in one of `pixel_formats`, in
/// one line with those that it writes, or "".
std::string why_not_written(Codec codec, std::string_view pixel_format);

}  // namespace orrery::render
