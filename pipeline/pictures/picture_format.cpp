// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "common/file_format.hpp"
#include "render/film/sequence.hpp"

namespace orrery::pipeline {
namespace {

/// Key `width`, such as "8.6 cm", in inches.
double inches(const Section& section) {
  const std::string& text = section->text("width");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, text.data() + text.size());
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const double per_inch = unit == "cm" ? 2.54 : unit == "mm" ? 25.4 : unit == "in" ? 1.0 : 0.0;
  if (error != std::errc() || !(value > 0) || per_inch == 0) {
    section.complain("width", fmt::format("\"{}\" is not a width: write \"8.6 cm\", \"86 mm\" or \"3.4 in\"", text));
  }
  return value / per_inch;
}

}  // namespace

render::Size size_of(const Section& section, const render::Format& format) {
  std::vector<double> size{static_cast<double>(format.size.width), static_cast<double>(format.size.height)};
  if (section->has("size")) size = section->numbers("size");
  if (section.given("width")) {
    const double width = inches(section) * section->number("dpi");
    size = {width, width * size[1] / size[0]};
    if (size[0] < 64 || size[1] < 64 || size[0] > 16384 || size[1] > 16384) {
      section.complain("width",
                       fmt::format("is {:.0f} × {:.0f} pixels; each side must be 64 to 16384", size[0], size[1]));
    }
    constexpr double least = 1.2;  // cm: below, text leaves no room
    const double side = 2.54 * std::min(size[0], size[1]) / section->number("dpi");
    if (side < least) {
      section.complain("width", fmt::format("makes the shorter side {:.2g} cm, too short for readable text: it must be "
                                            "at least {} cm",
                                            side, least));
    }
  }
  return {static_cast<int>(std::lround(size[0])), static_cast<int>(std::lround(size[1]))};
}

const render::Format& checked_format(const Section& section, const std::filesystem::path& file, bool moving) {
  if (!is_plain_name(file.string())) {
    section.complain("file",
                     "`file` must be a name of at most 200 bytes, without folders and control characters: it is "
                     "in the output folder");
  }
  // A single # may be part of a name.
  if (!moving && render::digits_of(file.string()) > 1) {
    section.complain("file", fmt::format("`{}` numbers frames, but a figure is one picture: write a name without #, or "
                                         "use [[film]]",
                                         file.string()));
  }
  if (moving && render::digits_of(file.string()) > 0) return render::frame_sequence;
  if (const auto* format = render::format_with(file.extension().string()); format && format->moving == moving)
    return *format;
  section.complain("file", fmt::format("`{}` must end in {}", file.string(),
                                       moving ? ".mp4, .webm or .gif, or number its frames, as frames-####.png"
                                              : ".png, .svg or .pdf"));
}

std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file,
                                      const render::Format& format) {
  const auto codecs = format.codecs;
  const auto given = section.given("codec") ? render::codec_named(section->text("codec")) : std::nullopt;
  if (given && std::ranges::find(codecs, *given) == codecs.end()) {
    std::vector<std::string_view> names;
    for (const render::Codec codec : codecs) names.push_back(render::name_of(codec));
    section.complain("codec", codecs.empty() ? fmt::format("is for .mp4 and .webm; {} has no codec", file.string())
                                             : fmt::format("{} is not supported in {}: use {}", render::name_of(*given),
                                                           file.extension().string(), fmt::join(names, " or ")));
  }
  if (codecs.empty()) return std::nullopt;
  const render::Codec codec = given.value_or(codecs.front());
  if (const std::string why = render::why_missing(codec); !why.empty()) section.complain(given ? "codec" : "file", why);
  return codec;
}

std::string_view pixel_format_of(const Section& section, const std::filesystem::path& file,
                                 std::optional<render::Codec> codec) {
  if (!section.given("pixel_format")) return render::pixel_formats.front();
  if (!codec)
    section.complain("pixel_format", fmt::format("is for .mp4 and .webm; {} has no choice of it", file.string()));
  const auto chosen = std::ranges::find(render::pixel_formats, section->text("pixel_format"));
  if (const std::string why = render::why_not_written(*codec, *chosen); !why.empty())
    section.complain("pixel_format", why);
  return *chosen;
}

double rate_of(const Section& section, const render::Format& format) {
  const double rate = section.given("fps") ? section->number("fps") : format.frames_per_second;
  if (rate > format.most_frames_per_second) {
    section.complain("fps", fmt::format("a GIF has at most {} frames per second: use a lower `fps`, .mp4 or .webm",
                                        format.most_frames_per_second));
  }
  return rate;
}

std::uintmax_t most_bytes_of(const Section& section, const std::filesystem::path& file, const render::Format& format) {
  constexpr double least = 0.1;  // MB
  const bool given = section.given("max_file_size");
  if (given && format.megabytes == 0) {
    section.complain("max_file_size",
                     fmt::format("is for GIFs, not for {}: remove it, or use a smaller `size`", file.string()));
  }
  const double size = given ? section->number("max_file_size") : format.megabytes;
  if (size > 0 && size < least) {
    section.complain("max_file_size",
                     fmt::format("{} MB are too small for a film: use at least {}, or 0 for no limit", size, least));
  }
  return static_cast<std::uintmax_t>(1e6 * size);
}

}  // namespace orrery::pipeline
