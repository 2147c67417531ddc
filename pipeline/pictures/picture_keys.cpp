// SPDX-License-Identifier: MIT
// The description of the keys that figures and films share.
#include "pipeline/pictures/picture_keys.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view themes[] = {"light", "dark"};
constexpr std::string_view codecs[] = {"h264", "hevc", "av1", "vp9"};
constexpr std::string_view time_units[] = {"s", "min", "h", "d", "yr", "kyr", "Myr", "Gyr", "ms", "us", "ns", "own"};
constexpr Range side{.low = 64, .high = 16384};

constexpr Parameter kind{.name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "what to draw"};

constexpr Parameter title{.name = "title",
                          .kind = Kind::text,
                          .example = "\"…\"",
                          .meaning = "default: that of the scenario",
                          .optional = true};

constexpr Parameter time_unit{
    .name = "time_unit",
    .kind = Kind::text,
    .example = "\"own\"",
    .meaning = "of axes and stamps; default: the one that gives numbers from 1 to 1000; own: as the run counts",
    .choices = time_units,
    .optional = true};

constexpr Parameter figure[] = {
    kind,
    {.name = "file",
     .kind = Kind::text,
     .example = "\"name.png\"",
     .meaning = "in the output folder; .png, .svg or .pdf says which format"},
    {.name = "size",
     .kind = Kind::numbers,
     .example = "[1600, 1200]",
     .meaning = "width and height; default [1600, 1200]",
     .unit = "pixels",
     .range = side,
     .count = 2,
     .optional = true},
    {.name = "width",
     .kind = Kind::text,
     .example = "\"8.6 cm\"",
     .meaning = "or the width on paper, \"8.6 cm\", with text of 7 to 10 points; size then gives the shape",
     .optional = true},
    {.name = "dpi", .fallback = "300.0", .meaning = "pixels an inch on paper", .range = {.low = 30, .high = 2400}},
    {.name = "theme",
     .kind = Kind::text,
     .fallback = "\"light\"",
     .meaning = "light for print, dark for screens",
     .choices = themes},
    {.name = "trails",
     .kind = Kind::number_or_text,
     .example = "\"10 periods\"",
     .meaning = "length of the paths; default: all of them",
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
     .meaning = "in the output folder; .mp4, .webm or .gif says which format, \"frames-####.png\" is a file a frame"},
    {.name = "codec",
     .kind = Kind::text,
     .meaning = "default: h264 of a .mp4, which takes hevc and av1 too; vp9 of a .webm, which takes av1 too",
     .choices = codecs,
     .optional = true},
    {.name = "size",
     .kind = Kind::numbers,
     .example = "[1280, 720]",
     .meaning = "width and height; default [1280, 720], of a GIF [480, 270]",
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
     .meaning = "frames a second; default 30, of a GIF 25, which takes 50 at most",
     .range = {.low = 1, .high = 120},
     .optional = true},
    {.name = "duration",
     .fallback = "12.0",
     .meaning = "the run is made to last so long",
     .unit = "s",
     .range = {.low = 0, .high = 3600, .low_open = true}},
    {.name = "max_file_size",
     .example = "8",
     .meaning = "of a GIF, which is thinned to stay below it, then drawn smaller; default 8, 0 is no limit",
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

}  // namespace

std::span<const Parameter> picture_keys(std::string_view section) {
  if (section == "film") return film;
  return figure;
}

}  // namespace orrery::pipeline
