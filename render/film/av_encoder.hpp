// SPDX-License-Identifier: MIT
// Encoders of films, set up so that all of them give the same kind of picture; included by sources of this room only.
#pragma once

#include "render/film/av.hpp"
#include "render/film/codec.hpp"

namespace orrery::render {

struct Encoder {
  Owned<AVCodecContext> context;  ///< set up but not open
  Dictionary options;             ///< to open it with
};

/// yuv420p, bt709, a key frame every two seconds. Throws Error where FFmpeg has none for the codec.
Encoder encoder_for(Codec codec, const std::filesystem::path& file, const char* pixel_format, Size size,
                    double frames_per_second);

}  // namespace orrery::render
