// SPDX-License-Identifier: MIT
// The formats of pictures, by extension, with their defaults; the codecs of films, and whether FFmpeg has encoders for them.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/export.hpp"
#include "render/canvas/drawing.hpp"

namespace orrery::render {

enum class Codec { h264, hevc, av1, vp9 };

inline constexpr std::array codecs_of_mp4{Codec::h264, Codec::hevc, Codec::av1};
inline constexpr std::array codecs_of_webm{Codec::vp9, Codec::av1};

/// How frames of formats with codecs are stored, by the names that libavutil knows: colours for 2 × 2 pixels (420) or
/// for each (444), with 8 or 10 bits. The first one is the default.
inline constexpr std::array<std::string_view, 4> pixel_formats{"yuv420p", "yuv444p", "yuv420p10", "yuv444p10"};

inline constexpr std::array<std::pair<Codec, std::string_view>, 4> codec_names{
    {{Codec::h264, "h264"}, {Codec::hevc, "hevc"}, {Codec::av1, "av1"}, {Codec::vp9, "vp9"}}};

constexpr std::string_view name_of(Codec codec) {
  return std::ranges::find(codec_names, codec, &std::pair<Codec, std::string_view>::first)->second;
}
/// Returns nullopt for another name.
constexpr std::optional<Codec> codec_named(std::string_view name) {
  const auto found = std::ranges::find(codec_names, name, &std::pair<Codec, std::string_view>::second);
  return found == codec_names.end() ? std::nullopt : std::optional(found->first);
}

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

struct Format {
  std::string_view extension;  ///< in lower case
  bool moving;
  bool pixels;                      ///< otherwise vectors or numbers
  const char* container = nullptr;  ///< of libavformat, for formats with codecs
  std::span<const Codec> codecs{};  ///< the default first
  Size size{1600, 1200};            ///< default
  double frames_per_second = 30;    ///< default
  double max_frames_per_second = 240;
  double megabytes = 0;  ///< default maximum size; 0: the size cannot be limited
  bool numbers = false;  ///< of charts, instead of a drawing
};

/// Players do not show GIF frames of 1/100 s at full speed.
inline constexpr std::array formats{
    Format{".png", false, true},
    Format{".svg", false, false},
    Format{".pdf", false, false},
    Format{.extension = ".csv", .moving = false, .pixels = false, .numbers = true},
    Format{.extension = ".json", .moving = false, .pixels = false, .numbers = true},
    Format{".mp4", true, true, "mp4", codecs_of_mp4, {1280, 720}},
    Format{".webm", true, true, "webm", codecs_of_webm, {1280, 720}},
    Format{".gif", true, true, nullptr, {}, {480, 270}, 25, 50, 8},
};

/// A film of numbered pictures: its name is a pattern of theirs.
inline constexpr Format frame_sequence{".png", true, true, nullptr, {}, {1280, 720}};

/// Returns null for an unknown extension.
constexpr const Format* format_with(std::string_view extension) {
  const auto* const found = std::ranges::find(formats, extension, &Format::extension);
  return found == formats.end() ? nullptr : found;
}

// Names of numbered pictures.

/// Returns the number of digits in a name such as "frames-####.png", which has one group of '#'; 0 for other names.
ORRERY_EXPORT int digits_of(const std::string& name);
/// Returns the name of a frame, counted from 0: "frames-0042.png".
std::string numbered(const std::string& name, int frame);

/// Returns whether `file` is the name of a frame of the sequence `name`.
bool is_numbered(const std::string& name, const std::string& file);

}  // namespace orrery::render
