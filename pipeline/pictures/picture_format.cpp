// SPDX-License-Identifier: MIT
// Names, sizes, rates and codecs of pictures, and what is said where they do not go together.
#include "pipeline/pictures/picture_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "common/file_format.hpp"
#include "render/film/sequence.hpp"

namespace orrery::pipeline {
namespace {

constexpr double most_of_a_gif = 50;  // frames a second: players slow those down that last a hundredth

/// "8.6 cm" in inches.
double inches(const Section& section) {
  const std::string& text = section->text("width");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, text.data() + text.size());
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const double per_inch = unit == "cm" ? 2.54 : unit == "mm" ? 25.4 : unit == "in" ? 1.0 : 0.0;
  if (error != std::errc() || !(value > 0) || per_inch == 0) {
    section.complain("width", fmt::format("\"{}\" is no width: write \"8.6 cm\", \"86 mm\" or \"3.4 in\"", text));
  }
  return value / per_inch;
}

}  // namespace

render::Size size_of(const Section& section, const std::filesystem::path& file, bool moving) {
  std::vector<double> size =
      moving && file.extension() == ".gif" ? std::vector<double>{480, 270} : std::vector<double>{1280, 720};
  if (section->has("size")) size = section->numbers("size");
  if (section.given("width")) {
    const double width = inches(section) * section->number("dpi");
    size = {width, width * size[1] / size[0]};
    if (size[0] < 64 || size[1] < 64 || size[0] > 16384 || size[1] > 16384) {
      section.complain(
          "width", fmt::format("comes to {:.0f} × {:.0f} pixels; 64 to 16384 a side can be drawn", size[0], size[1]));
    }
    constexpr double least = 1.2;  // cm: below, letters of a page leave no room for anything
    const double side = 2.54 * std::min(size[0], size[1]) / section->number("dpi");
    if (side < least) {
      section.complain("width", fmt::format("makes the shorter side {:.2g} cm, where letters that can be read leave no "
                                            "room for the rest: give it {} cm at least",
                                            side, least));
    }
  }
  return {static_cast<int>(std::lround(size[0])), static_cast<int>(std::lround(size[1]))};
}

void check_file(const Section& section, const std::filesystem::path& file, bool moving) {
  if (!is_plain_name(file.string())) {
    section.complain(
        "file",
        "`file` must be a plain name of at most 200 bytes, without folders and control characters: it lies "
        "in the output folder");
  }
  // A single # is part of many a name.
  if (!moving && render::digits_of(file.string()) > 1) {
    section.complain("file",
                     fmt::format("`{}` numbers frames, and a figure is one picture: write a name without #, or a "
                                 "[[film]]",
                                 file.string()));
  }
  const std::string extension = file.extension();
  const auto is = [&](std::initializer_list<std::string_view> list) {
    return std::ranges::find(list, extension) != list.end();
  };
  if (moving ? is({".mp4", ".webm", ".gif"}) || render::digits_of(file.string()) > 0 : is({".png", ".svg", ".pdf"}))
    return;
  section.complain(
      "file", fmt::format("`{}` must end in {}", file.string(),
                          moving ? ".mp4, .webm or .gif, or have a number, as frames-####.png" : ".png, .svg or .pdf"));
}

std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file) {
  const auto codecs = render::codecs_in(file.extension().string());
  const auto given = section.given("codec") ? render::codec_named(section->text("codec")) : std::nullopt;
  if (given && std::ranges::find(codecs, *given) == codecs.end()) {
    std::vector<std::string_view> there;
    for (const render::Codec codec : codecs) there.push_back(render::name_of(codec));
    section.complain("codec", codecs.empty()
                                  ? fmt::format("goes with .mp4 and .webm; {} has none to choose", file.string())
                                  : fmt::format("{} does not go into a {}: take {}", render::name_of(*given),
                                                file.extension().string(), fmt::join(there, " or ")));
  }
  if (codecs.empty()) return std::nullopt;
  const render::Codec codec = given.value_or(codecs.front());
  if (const std::string why = render::why_missing(codec); !why.empty()) section.complain(given ? "codec" : "file", why);
  return codec;
}

double rate_of(const Section& section, const std::filesystem::path& file) {
  const bool gif = file.extension() == ".gif";
  const double rate = section.given("fps") ? section->number("fps") : gif ? 25 : 30;
  if (gif && rate > most_of_a_gif) {
    section.complain(
        "fps", fmt::format("a GIF shows at most {} frames a second: take so many, or a .mp4 or .webm", most_of_a_gif));
  }
  return rate;
}

std::uintmax_t most_bytes_of(const Section& section, const std::filesystem::path& file) {
  constexpr double usual = 8, least = 0.1;  // MB
  const bool gif = file.extension() == ".gif", given = section.given("max_file_size");
  if (given && !gif) {
    section.complain(
        "max_file_size",
        fmt::format("is for GIFs; {} is compressed well: leave it out, or take a smaller `size`", file.string()));
  }
  const double size = !gif ? 0 : given ? section->number("max_file_size") : usual;
  if (size > 0 && size < least) {
    section.complain("max_file_size",
                     fmt::format("{} MB are too few for a film: {} at least, or 0 for no limit", size, least));
  }
  return static_cast<std::uintmax_t>(1e6 * size);
}

}  // namespace orrery::pipeline
