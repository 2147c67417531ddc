// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "render/film/formats.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view themes[] = {"light", "dark"};
constexpr std::string_view codecs[] = {"h264", "hevc", "av1", "vp9"};
constexpr std::string_view time_units[] = {"s", "min", "h", "d", "yr", "kyr", "Myr", "Gyr", "ms", "us", "ns", "own"};
constexpr Range side{.low = 64, .high = 16384};

constexpr Parameter kind{.name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "kind of figure"};

constexpr Parameter title{.name = "title",
                          .kind = Kind::text,
                          .example = "\"…\"",
                          .meaning = "title of the picture; default: that of the scenario",
                          .optional = true};

constexpr Parameter time_unit{
    .name = "time_unit",
    .kind = Kind::text,
    .example = "\"own\"",
    .meaning =
        "unit of time axes and time stamps; own: the run's unit; default: the unit that gives numbers from 1 to 1000",
    .choices = time_units,
    .optional = true};

constexpr Parameter figure[] = {
    kind,
    {.name = "file",
     .kind = Kind::text,
     .example = "\"name.png\"",
     .meaning = "file name in the output folder: .png, .svg or .pdf"},
    {.name = "size",
     .kind = Kind::numbers,
     .example = "[1600, 1200]",
     .meaning = "width and height; default: [1600, 1200]",
     .unit = "pixels",
     .range = side,
     .count = 2,
     .optional = true},
    {.name = "width",
     .kind = Kind::text,
     .example = "\"8.6 cm\"",
     .meaning = "width on paper, with text of 7 to 10 points; the shape is that of `size`",
     .optional = true},
    {.name = "dpi", .fallback = "300.0", .meaning = "pixels per inch on paper", .range = {.low = 30, .high = 2400}},
    {.name = "theme",
     .kind = Kind::text,
     .fallback = "\"light\"",
     .meaning = "light for print, dark for screens",
     .choices = themes},
    {.name = "trails",
     .kind = Kind::number_or_text,
     .example = "\"10 periods\"",
     .meaning = "length of the paths; default: the whole run",
     .unit = "time",
     .range = not_negative,
     .optional = true},
    time_unit,
    title,
};

constexpr Parameter film[] = {
    kind,
    {.name = "file",
     .kind = Kind::text,
     .example = "\"name.mp4\"",
     .meaning = "file name in the output folder: .mp4, .webm or .gif, or one file per frame, as \"frames-####.png\""},
    {.name = "codec",
     .kind = Kind::text,
     .meaning = "video codec; .mp4: h264 (default), hevc or av1; .webm: vp9 (default) or av1",
     .choices = codecs,
     .optional = true},
    {.name = "pixel_format",
     .kind = Kind::text,
     .meaning =
         "of .mp4 and .webm: colours for 2 × 2 pixels (420, default, for all players) or for each (444); 8 bits, "
         "or 10",
     .choices = render::pixel_formats,
     .optional = true},
    {.name = "size",
     .kind = Kind::numbers,
     .example = "[1280, 720]",
     .meaning = "width and height; default: [1280, 720], GIF [480, 270]",
     .unit = "pixels",
     .range = side,
     .count = 2,
     .optional = true},
    {.name = "theme",
     .kind = Kind::text,
     .fallback = "\"dark\"",
     .meaning = "light for print, dark for screens",
     .choices = themes},
    {.name = "fps",
     .example = "30",
     .meaning = "frames per second; default: 30, GIF 25; maximum of a GIF: 50",
     .range = {.low = 1, .high = 120},
     .optional = true},
    {.name = "duration",
     .fallback = "12.0",
     .meaning = "length of the film",
     .unit = "s",
     .range = {.low = 0, .high = 3600, .low_open = true}},
    {.name = "max_file_size",
     .example = "8",
     .meaning = "maximum size of a GIF, which is met by fewer frames, then fewer pixels; default: 8; 0: no limit",
     .unit = "MB",
     .range = {.low = 0, .high = 1e6},
     .optional = true},
    {.name = "trails",
     .kind = Kind::number_or_text,
     .example = "\"10 periods\"",
     .meaning = "length of the fading paths; default: one period, else 5 % of the run",
     .unit = "time",
     .range = not_negative,
     .optional = true},
    time_unit,
    title,
};

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Error(where + ": " + why, 2);
}

}  // namespace

std::span<const Parameter> picture_keys(std::string_view section) {
  if (section == "film") return film;
  return figure;
}

bool has_parts(const render::FigureKind& kind) {
  return std::ranges::find(kind.parameters, "part", &Parameter::name) != kind.parameters.end();
}

void refuse_picture_keys(const Document& document, std::string_view table, const std::string& part, std::size_t k,
                         const render::FigureKind& kind) {
  for (const Parameter& key : picture_keys(table)) {
    if (key.name == "kind" || key.name == "title") continue;
    if (std::ranges::find(kind.parameters, key.name, &Parameter::name) != kind.parameters.end()) continue;
    if (const auto where = document.where(part, k, key.name)) {
      refuse(*where,
             fmt::format("`{}` is a key of the whole picture: write it before the first [[{}.part]]", key.name, table));
    }
  }
}

void refuse_bodies(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind) {
  if (std::ranges::find(kind.parameters, "bodies", &Parameter::name) != kind.parameters.end()) return;
  const auto where = document.where(table, i, "bodies");
  if (!where) return;
  refuse(*where, has_parts(kind) ? fmt::format("`bodies` is a key of each part: write it in its [[{}.part]]", table)
                                 : fmt::format("{} shows a quantity of all bodies: remove `bodies`", kind.name));
}

void refuse_paper_keys(const Document& document, std::size_t film) {
  for (const char* key : {"width", "dpi"}) {
    if (const auto where = document.where("film", film, key))
      refuse(*where, fmt::format("films are in pixels: use `size` instead of `{}`", key));
  }
}

void refuse_trails(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind,
                   const std::vector<PicturePart>& parts) {
  const bool no_paths = parts.empty()
                            ? !kind.has_paths
                            : std::ranges::none_of(parts, [](const PicturePart& part) { return part.kind->has_paths; });
  const auto where = no_paths ? document.where(table, i, "trails") : std::nullopt;
  if (where) {
    refuse(*where, fmt::format("{} draws no paths of bodies: remove `trails`",
                               parts.empty() ? kind.name : "each of these parts"));
  }
}

}  // namespace orrery::pipeline
