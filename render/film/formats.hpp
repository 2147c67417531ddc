// SPDX-License-Identifier: MIT
// The formats of pictures: what a file of an extension is, and what is usual of it.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

enum class Codec { h264, hevc, av1, vp9 };

inline constexpr std::array codecs_of_mp4{Codec::h264, Codec::hevc, Codec::av1};
inline constexpr std::array codecs_of_webm{Codec::vp9, Codec::av1};

struct Format {
  std::string_view extension;  ///< in small letters
  bool moving;
  bool pixels;                         ///< else vectors
  const char* container = nullptr;     ///< as libavformat calls it, of what has codecs
  const char* pixel_format = nullptr;  ///< as libavutil calls it, likewise
  std::span<const Codec> codecs{};     ///< the usual first; none: there is no choice
  Size size{1600, 1200};               ///< where none is asked for
  double frames_per_second = 30;       ///< likewise
  double most_frames_per_second = 240;
  double megabytes = 0;  ///< at most, where nothing else is asked for; 0: no limit, and none can be asked for
};

/// Players slow down frames of a GIF that last a hundredth of a second.
inline constexpr std::array formats{
    Format{".png", false, true},
    Format{".svg", false, false},
    Format{".pdf", false, false},
    Format{".mp4", true, true, "mp4", "yuv420p", codecs_of_mp4, {1280, 720}},
    Format{".webm", true, true, "webm", "yuv420p", codecs_of_webm, {1280, 720}},
    Format{".gif", true, true, nullptr, nullptr, {}, {480, 270}, 25, 50, 8},
};

/// A film as numbered pictures.
inline constexpr Format frame_sequence{".png", true, true, nullptr, nullptr, {}, {1280, 720}};

/// Null for another extension.
constexpr const Format* format_with(std::string_view extension) {
  const auto* const found = std::ranges::find(formats, extension, &Format::extension);
  return found == formats.end() ? nullptr : found;
}

}  // namespace orrery::render
