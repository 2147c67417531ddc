// SPDX-License-Identifier: MIT
// The codecs of films, and which of them the FFmpeg at hand can write.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "render/film/formats.hpp"

namespace orrery::render {

/// "h264", "hevc", "av1" or "vp9".
std::string_view name_of(Codec codec);
/// Nothing for another name.
std::optional<Codec> codec_named(std::string_view name);

/// What they make of a size: yuv420p has a colour for every two columns and rows, so the last odd one is lost.
constexpr Size even(Size size) {
  return {size.width & ~1, size.height & ~1};
}

/// Why films cannot be written with it, in one line that says what is missing and what is there; "" where they can.
/// `has` tells whether FFmpeg has an encoder of that name.
std::string why_missing(Codec codec, const std::function<bool(const char* encoder)>& has);
/// The same of the FFmpeg that is there.
std::string why_missing(Codec codec);

}  // namespace orrery::render
