// SPDX-License-Identifier: MIT
#include "render/film/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include "common/thread_pool.hpp"
#include "render/film/film.hpp"
#include "render/module/av.hpp"
#include "render/module/module.hpp"

namespace orrery::render::pictures_module {
namespace {

/// An encoder of FFmpeg with its options: constant quality if possible, and little look-ahead, since frames in the encoder
/// are lost when a film is cut short. The first available one of a codec is used.
struct Recipe {
  Codec codec;
  const char* encoder;
  std::array<std::pair<const char*, const char*>, 5> options;
  int max_height = 16384;
  int max_in_flight =
      0;  ///< of one that works in threads of its own: frames that may wait in it; 0: it returns packets when it can
};

/// x265 would write its options, which depend on the machine, into the headers, and pieces of a film could not be
/// joined. SVT-AV1 keeps more frames in flight the more processors (`lp`) it uses and the busier they are, and a kill would lose
/// seconds of film.
constexpr Recipe recipes[] = {
    // Faster than veryfast alone, with files about 40 % larger and less memory for frames in flight.
    {Codec::h264,
     "libx264",
     {{{"preset", "veryfast"},
       {"crf", "18"},
       {"x264-params", "me=dia:subme=1:partitions=i4x4,i8x8:rc-lookahead=5:sync-lookahead=0:weightp=0:bframes=0"}}}},
    {Codec::h264, "libopenh264", {}},
    {Codec::hevc, "libx265", {{{"preset", "veryfast"}, {"crf", "20"}, {"x265-params", "log-level=none:info=0"}}}},
    {Codec::av1,
     "libsvtav1",
     {{{"preset", "10"}, {"crf", "30"}, {"svtav1-params", "lookahead=4:hierarchical-levels=3:lp=8"}}},
     8704,
     32},
    {Codec::av1,
     "libaom-av1",
     {{{"cpu-used", "8"}, {"crf", "30"}, {"b", "0"}, {"row-mt", "1"}, {"lag-in-frames", "10"}}}},
    {Codec::av1, "librav1e", {{{"speed", "10"}, {"qp", "90"}}}},
    {Codec::vp9,
     "libvpx-vp9",
     {{{"cpu-used", "5"}, {"crf", "26"}, {"b", "0"}, {"row-mt", "1"}, {"lag-in-frames", "10"}}}},
};

const Recipe* recipe_for(Codec codec, const std::function<bool(const char*)>& has) {
  const auto found = std::ranges::find_if(recipes, [&](const Recipe& r) { return r.codec == codec && has(r.encoder); });
  return found == std::end(recipes) ? nullptr : found;
}

bool is_there(const char* encoder) {
  return avcodec_find_encoder_by_name(encoder) != nullptr;
}

AVPixelFormat libav_format(std::string_view pixel_format) {
  return av_get_pix_fmt(std::string(pixel_format).c_str());
}

/// Returns the list of an encoder, which ends with AV_PIX_FMT_NONE; null if it has none.
const AVPixelFormat* listed_formats(const AVCodec& encoder) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void* list = nullptr;
  const int code = avcodec_get_supported_config(nullptr, &encoder, AV_CODEC_CONFIG_PIX_FORMAT, 0, &list, nullptr);
  return code < 0 ? nullptr : static_cast<const AVPixelFormat*>(list);
#else
  return encoder.pix_fmts;
#endif
}

/// Returns whether an encoder is there and writes a pixel format. The default is taken for granted.
bool writes(const char* encoder, std::string_view pixel_format) {
  const AVCodec* codec = avcodec_find_encoder_by_name(encoder);
  if (codec == nullptr || pixel_format == pixel_formats.front()) return codec != nullptr;
  const AVPixelFormat wanted = libav_format(pixel_format);
  const AVPixelFormat* format = listed_formats(*codec);
  while (format != nullptr && *format != AV_PIX_FMT_NONE && *format != wanted) ++format;
  return format != nullptr && *format != AV_PIX_FMT_NONE;
}

const Recipe* recipe_for(Codec codec, std::string_view pixel_format) {
  return recipe_for(codec, [&](const char* encoder) { return writes(encoder, pixel_format); });
}

}  // namespace

std::string why_missing(Codec codec, const std::function<bool(const char*)>& has) {
  if (recipe_for(codec, has) != nullptr) return "";
  std::vector<std::string_view> wanted, there;
  for (const Recipe& recipe : recipes) {
    if (recipe.codec == codec) wanted.emplace_back(recipe.encoder);
  }
  for (const auto& [other, name] : codec_names) {
    if (recipe_for(other, has) != nullptr) there.push_back(name);
  }
  // Some distributions ship patented codecs in another package.
  const bool patented = codec == Codec::h264 || codec == Codec::hevc;
  return fmt::format(
      "this FFmpeg has no encoder for {}: install a libavcodec with {}{}; here there is {}", name_of(codec),
      fmt::join(wanted, " or "), patented ? " (on Fedora libavcodec-freeworld of RPM Fusion)" : "",
      there.empty() ? "none but that of .gif" : fmt::format("{}, and .gif needs none", fmt::join(there, ", ")));
}

std::string why_missing(Codec codec) {
  return pictures_module::why_missing(codec, is_there);
}

std::string why_not_written(Codec codec, std::string_view pixel_format) {
  if (recipe_for(codec, pixel_format) != nullptr) return "";
  std::vector<std::string_view> there;
  std::ranges::copy_if(pixel_formats, std::back_inserter(there),
                       [&](std::string_view format) { return recipe_for(codec, format) != nullptr; });
  return fmt::format("this FFmpeg writes no {} as {}: use {}", name_of(codec), pixel_format, fmt::join(there, " or "));
}

std::string why_too_large(Size size, std::optional<Codec> codec) {
  const Recipe* recipe = codec ? recipe_for(*codec, is_there) : nullptr;
  if (recipe != nullptr && size.height > recipe->max_height)
    return fmt::format("{} has at most {} rows", recipe->encoder, recipe->max_height);
  av_log_set_level(AV_LOG_QUIET);
  const auto is_possible = [](int width, int height) {
    return av_image_check_size(static_cast<unsigned>(width), static_cast<unsigned>(height), 0, nullptr) >= 0;
  };
  if (is_possible(size.width, size.height)) return "";
  int height = size.height;
  while (!is_possible(size.width, height)) --height;
  return fmt::format("FFmpeg's films have at most {} rows of {} pixels", even({size.width, height}).height, size.width);
}

Encoder encoder_for(Codec codec, const std::filesystem::path& file, std::string_view pixel_format, Size size,
                    double frames_per_second) {
  if (const std::string why = pictures_module::why_missing(codec); !why.empty()) refuse_film(file, why);
  const Recipe* recipe = recipe_for(codec, pixel_format);
  if (recipe == nullptr) refuse_film(file, pictures_module::why_not_written(codec, pixel_format));
  // Otherwise SVT-AV1 writes its log to stderr.
  if (std::string_view(recipe->encoder) == "libsvtav1") ::setenv("SVT_LOG", "1", 0);
  Encoder result{Owned<AVCodecContext>(avcodec_alloc_context3(avcodec_find_encoder_by_name(recipe->encoder))),
                 {},
                 recipe->max_in_flight};
  AVCodecContext& encoder = *result.context;
  encoder.width = size.width;
  encoder.height = size.height;
  encoder.pix_fmt = libav_format(pixel_format);
  encoder.framerate = av_d2q(frames_per_second, 100000);
  encoder.time_base = av_inv_q(encoder.framerate);
  encoder.gop_size = static_cast<int>(std::ceil(2 * frames_per_second));
  encoder.color_range = AVCOL_RANGE_MPEG;
  encoder.color_primaries = AVCOL_PRI_BT709;
  encoder.color_trc = AVCOL_TRC_IEC61966_2_1;  // pixels are sRGB
  encoder.colorspace = AVCOL_SPC_BT709;
  constexpr int max_threads = 16;  // the maximum of x265, and each thread needs memory for frames
  encoder.thread_count = std::min(loop_threads() + 1, max_threads);
  for (const auto& [key, value] : recipe->options) {
    if (key != nullptr) result.options.set(key, value);
  }
  if (recipe->options.front().first == nullptr) {  // without constant quality
    result.options.set("b", fmt::format("{:.0f}", 4.0 * size.width * size.height));
  }
  return result;
}

}  // namespace orrery::render::pictures_module
