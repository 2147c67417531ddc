// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/refusal.hpp"
#include "render/chosen.hpp"
#include "render/film/formats.hpp"
#include "render/view/reference.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view themes[] = {"light", "dark"};
constexpr std::string_view codecs[] = {"h264", "hevc", "av1", "vp9"};
constexpr std::string_view time_units[] = {"s",   "min", "h",   "d",  "week", "month", "yr", "century",
                                           "kyr", "Myr", "Gyr", "ms", "us",   "ns",    "own"};
constexpr std::string_view length_units[] = {"mm",   "cm", "m",  "km", "Rearth", "Rjup", "LD",
                                             "Rsun", "au", "ly", "pc", "kpc",    "Mpc"};
constexpr std::string_view mass_units[] = {"g", "kg", "Mmoon", "Mearth", "Mjup", "Msun"};
constexpr Range side{.low = 64, .high = 16384};

constexpr Parameter kind{.name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "kind of figure"};

constexpr Parameter title =
    render::optional_key("title", Kind::text, "\"…\"", "title of the picture; default: that of the scenario");

constexpr Parameter time_unit{.name = "time_unit",
                              .kind = Kind::text,
                              .example = "\"own\"",
                              .meaning =
                                  "unit of time axes and time stamps; own: the run's unit; default: dates if the run "
                                  "has an epoch, else the unit that gives "
                                  "numbers from 1 to 1000",
                              .choices = time_units,
                              .optional = true};

constexpr Parameter length_unit{.name = "length_unit",
                                .kind = Kind::text,
                                .example = "\"au\"",
                                .meaning = "unit of lengths on axes and colour bars; default: that of the run",
                                .choices = length_units,
                                .optional = true};

constexpr Parameter mass_unit{.name = "mass_unit",
                              .kind = Kind::text,
                              .example = "\"Msun\"",
                              .meaning = "unit of masses on axes and colour bars; default: that of the run",
                              .choices = mass_units,
                              .optional = true};

constexpr Parameter size_key(std::string_view example, std::string_view meaning) {
  Parameter key = render::interval_key("size", example, meaning, "pixels");
  key.range = side;
  return key;
}

constexpr Parameter trails_key(std::string_view meaning) {
  Parameter key = render::optional_key("trails", Kind::number_or_text, "\"10 periods\"", meaning, "time");
  key.range = not_negative;
  return key;
}

constexpr Parameter figure[] = {
    kind,
    {.name = "file",
     .kind = Kind::text,
     .example = "\"name.png\"",
     .meaning = "file name in the output folder: .png, .svg or .pdf; the numbers of a chart: .csv or .json"},
    size_key("[1600, 1200]", "width and height; default: [1600, 1200]"),
    render::optional_key("width", Kind::text, "\"8.6 cm\"",
                         "width on paper, with text of 7 to 10 points; the shape is that of `size`"),
    {.name = "dpi", .fallback = "300.0", .meaning = "pixels per inch on paper", .range = {.low = 30, .high = 2400}},
    render::choice_key("theme", "\"light\"", themes, "light for print, dark for screens"),
    trails_key("length of the paths; default: the whole run"),
    time_unit,
    length_unit,
    mass_unit,
    title,
};

constexpr Parameter film[] = {
    kind,
    {.name = "file",
     .kind = Kind::text,
     .example = "\"name.mp4\"",
     .meaning = "file name in the output folder: .mp4, .webm or .gif, or one file per frame, as \"frames-####.png\""},
    render::choice_key("codec", "", codecs,
                       "video codec; .mp4: h264 (default), hevc or av1; .webm: vp9 (default) or av1"),
    render::choice_key("pixel_format", "", render::pixel_formats,
                       "of .mp4 and .webm: colours for 2 × 2 pixels (420, default, for all players) or for each (444); "
                       "8 bits, or 10"),
    size_key("[1280, 720]", "width and height; default: [1280, 720], GIF [480, 270]"),
    render::choice_key("theme", "\"dark\"", themes, "light for print, dark for screens"),
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
    trails_key("length of the fading paths; default: one period, else 5 % of the run"),
    time_unit,
    length_unit,
    mass_unit,
    title,
};

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
  for (const char* key : {"bodies", "components"}) {
    const auto where = document.where(table, i, key);
    if (!where) continue;
    refuse(*where, has_parts(kind) ? fmt::format("`{}` is a key of each part: write it in its [[{}.part]]", key, table)
                                   : fmt::format("{} shows a quantity of all bodies: remove `{}`", kind.name, key));
  }
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
    const double shorter = 2.54 * std::min(size[0], size[1]) / section->number("dpi");
    if (shorter < least) {
      section.complain("width", fmt::format("makes the shorter side {:.2g} cm, too short for readable text: it must be "
                                            "at least {} cm",
                                            shorter, least));
    }
  }
  return {static_cast<int>(std::lround(size[0])), static_cast<int>(std::lround(size[1]))};
}

std::vector<std::size_t> followed_bodies(const Section& keys, const render::RunInfo& info, std::size_t most) {
  std::vector<std::size_t> bodies = render::chosen_bodies(keys.values(), info);
  if (bodies.size() > most) bodies.clear();
  if (keys->has("follow")) {
    if (const auto body = render::find_body(keys->text("follow"), info)) bodies.push_back(*body);
  }
  if (!keys->has("frame")) return bodies;
  const auto own = render::Reference(keys->text("frame"), info).bodies();
  bodies.insert(bodies.end(), own.begin(), own.end());
  return bodies;
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
                                              : ".png, .svg or .pdf, or for the numbers of a chart in .csv or .json"));
}

bool fits_film(const std::string& file, std::string_view key, const Value& value) {
  const bool sequence = render::digits_of(file) > 0;
  const auto* format =
      sequence ? &render::frame_sequence : render::format_with(std::filesystem::path(file).extension().string());
  if (format == nullptr || !format->moving) return true;
  if (const auto* name = std::get_if<std::string>(&value); name != nullptr && key == "codec") {
    const auto codec = render::codec_named(*name);
    return !codec || std::ranges::find(format->codecs, *codec) != format->codecs.end();
  }
  if (key == "pixel_format") return !format->codecs.empty();
  if (key == "max_file_size") return format->megabytes > 0;
  const auto* number = std::get_if<double>(&value);
  return key != "fps" || number == nullptr || *number <= format->max_frames_per_second;
}

std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file,
                                      const render::Format& format) {
  const auto given = section.given("codec") ? render::codec_named(section->text("codec")) : std::nullopt;
  if (given && std::ranges::find(format.codecs, *given) == format.codecs.end()) {
    std::vector<std::string_view> names;
    for (const render::Codec codec : format.codecs) names.push_back(render::name_of(codec));
    section.complain("codec", format.codecs.empty()
                                  ? fmt::format("is for .mp4 and .webm; {} has no codec", file.string())
                                  : fmt::format("{} is not supported in {}: use {}", render::name_of(*given),
                                                file.extension().string(), fmt::join(names, " or ")));
  }
  if (format.codecs.empty()) return std::nullopt;
  const render::Codec codec = given.value_or(format.codecs.front());
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
  if (rate > format.max_frames_per_second) {
    section.complain("fps", fmt::format("a GIF has at most {} frames per second: use a lower `fps`, .mp4 or .webm",
                                        format.max_frames_per_second));
  }
  return rate;
}

std::uintmax_t max_bytes_of(const Section& section, const std::filesystem::path& file, const render::Format& format) {
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
