// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>

#include "pipeline/named_unit.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/scenario/duration.hpp"
#include "render/chosen.hpp"
#include "render/film/formats.hpp"

namespace orrery::pipeline {
namespace {

/// Key `trails`; default: the whole run in a still, one period or 5 % of the run in a film.
double trails_of(const Section& section, const Subject& subject, bool moving) {
  if (section.given("trails")) return time_of(section, "trails", subject.time_units());
  if (!moving) return std::numeric_limits<double>::infinity();
  return subject.timescale_name == "period" ? subject.timescale : 0.05 * std::abs(subject.end);
}

/// Converts times to numbers.
void convert_times(Section& section, const render::FigureKind& kind, const TimeUnits& units) {
  for (const Parameter& key : kind.parameters) {
    if (!section->has(key.name)) continue;
    if (key.kind == Kind::numbers_or_texts && key.unit == "time")
      section.set(key.name, times_of(section, key.name, units));
    if (key.kind == Kind::number_or_text && key.unit == "time")
      section.set(key.name, time_of(section, key.name, units));
    if (key.kind != Kind::records) continue;
    auto records = section->records(key.name);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Value* time = records[i].find("time");
      if (time != nullptr) records[i].set("time", time_of(section, fmt::format("{}[{}]", key.name, i), *time, units));
    }
    section.set(key.name, std::move(records));
  }
}

void check_velocities(const Subject& subject, const Section& section, const render::FigureKind& kind) {
  const std::string_view key = kind.velocity_key != nullptr ? kind.velocity_key(section.values()) : "";
  if (subject.stored.velocities || key.empty()) return;
  section.complain(
      key, fmt::format("velocities are not stored: `{} = \"{}\"` needs `velocities = true` in [trajectory]", key,
                       section->text(key)));
}

/// Refuses `count` besides `times`. Resolved scenarios contain the default, which is allowed.
void check_count(const Section& section, const render::FigureKind& kind) {
  const auto count = std::ranges::find(kind.parameters, "count", &Parameter::name);
  if (count == kind.parameters.end() || !section.given("times") || !section.given("count")) return;
  if (to_toml(*section->find("count")) != count->fallback)
    section.complain("count", "`times` and `count` exclude each other: remove one");
}

/// Checks the keys of a kind, and converts them as figures need them.
void convert(Section& section, const Subject& subject, const render::FigureKind& kind) {
  check_velocities(subject, section, kind);
  check_count(section, kind);
  convert_times(section, kind, subject.time_units());
  if (const Value* follow = section->find("follow"))
    section.set("follow", text_of(*follow));  // an index needs no quotes
}

/// As picture_keys.hpp, except that a picture of one journal column with stacked parts, `width` and no `size` has a height
/// that depends on their number.
render::Size size_of(const Section& section, const render::Format& format, std::size_t parts) {
  render::Size size = size_of(section, format);
  if (parts < 2 || !section.given("width") || section->has("size")) return size;
  constexpr double max_column = 12;  // cm
  const bool beside = section->has("columns") && section->integer("columns") > 1;
  if (beside || 2.54 * size.width / section->number("dpi") > max_column) return size;
  const double height = std::clamp(0.62 * static_cast<double>(parts), 0.75, 2.6) * size.width;
  size.height = std::min(16384, static_cast<int>(std::lround(height)));
  return size;
}

/// Reads the keys of shown units, which a run without units cannot have.
ShownUnits shown_units(const Section& keys, const Subject& subject) {
  ShownUnits units;
  const std::pair<const char*, std::string*> all[] = {
      {"time_unit", &units.time}, {"length_unit", &units.length}, {"mass_unit", &units.mass}};
  for (const auto& [key, symbol] : all) {
    if (!keys->has(key)) continue;
    *symbol = keys->text(key);
    if (*symbol != "own" && !in_si(subject.stored.time_unit)) {
      keys.complain(
          key,
          fmt::format(
              "the run is in dimensionless units: set `units = \"si\"`, \"astronomical\" or \"galactic\" at the top of "
              "the file, or remove `{}`",
              key));
    }
  }
  return units;
}

/// Refuses a film that cannot be written in its size; numbered frames are stills.
void check_film_size(const PicturePlan& film) {
  const std::string why = film.numbered() ? "" : render::why_too_large(film.size, film.film.codec);
  if (!why.empty())
    film.keys.complain("size", fmt::format("{} × {} pixels: {}", film.size.width, film.size.height, why));
}

/// PicturePlan::fewest_chosen.
std::size_t fewest_chosen(const PicturePlan& plan, const Subject& subject) {
  std::size_t fewest = plan.fewest_chosen;
  for (const Section* keys : plan.sections()) {
    if (!render::chooses_bodies(keys->values())) continue;
    const render::RunInfo info = run_info_of(subject.bodies, subject.components, subject.domain);
    try {
      fewest = std::min(fewest, render::chosen_bodies(keys->values(), info).size());
    } catch (const ArgumentError& error) {
      std::string words = error.what();
      if (error.name() == "bodies") {
        const std::vector<std::string_view> names(info.names.begin(), info.names.end());
        for (const std::string& name : (*keys)->texts("bodies")) {
          if (!render::find_body(name, info)) words += suggestion(name, names);
        }
      }
      keys->complain(error.name(), words);
    }
  }
  return fewest;
}

/// Throws Error, Fault::request, unless a figure consists of charts.
void refuse_no_chart(const Picture& picture) {
  const auto odd = std::ranges::find_if(picture.parts, [](const PicturePart& part) { return !part.kind->is_chart(); });
  const render::FigureKind& kind = odd == picture.parts.end() ? *picture.kind : *odd->kind;
  if (picture.parts.empty() ? kind.is_chart() : odd == picture.parts.end()) return;
  std::vector<std::string_view> charts;
  for (const ChartKind* chart : chart_kinds()) charts.push_back(chart->figure.name);
  picture.keys.complain("file", fmt::format("`{}` is for the numbers of charts, and {} is none: choose .png, .svg or "
                                            ".pdf (charts are {})",
                                            picture.keys->text("file"), kind.name, fmt::join(charts, ", ")));
}

PicturePlan plan(const Subject& subject, const Picture& picture) {
  PicturePlan plan{picture};
  Section& keys = plan.keys;
  convert(keys, subject, *plan.kind);
  for (PicturePart& part : plan.parts) convert(part.keys, subject, *part.kind);
  if (!plan.parts.empty()) plan.record_parts();

  const std::filesystem::path file = keys->text("file");
  const render::Format& format = checked_format(keys, file, plan.moving);
  if (format.numbers) refuse_no_chart(plan);
  plan.file = file.string();
  plan.format = &format;
  plan.size = size_of(keys, format, plan.parts.size());
  plan.theme = render::theme_named(keys->text("theme"));
  if (keys->has("title")) plan.title = keys->text("title");
  plan.units = shown_units(keys, subject);
  plan.dpi = plan.moving ? 96.0 : keys->number("dpi");
  plan.lettering = plan.moving          ? render::Lettering::of_film
                   : keys->has("width") ? render::Lettering::by_page
                                        : render::Lettering::by_canvas;
  plan.trails = trails_of(keys, subject, plan.moving);
  plan.fewest_chosen = fewest_chosen(plan, subject);
  if (plan.moving) {
    plan.film.frames_per_second = rate_of(keys, format);
    plan.frames = std::max(2, static_cast<int>(std::lround(plan.film.frames_per_second * keys->number("duration"))));
    plan.film.codec = codec_of(keys, file, format);
    check_film_size(plan);
    plan.film.pixel_format = pixel_format_of(keys, file, plan.film.codec);
    plan.film.max_bytes = max_bytes_of(keys, file, format);
  }
  return plan;
}

}  // namespace

bool PicturePlan::numbered() const {
  return format == &render::frame_sequence;
}

std::string PicturePlan::written_file() const {
  return film.piece && !numbered() ? render::file_of(*film.piece, file).string() : file;
}

bool PicturePlan::remembers(std::size_t bodies, const render::RunInfo& info) const {
  return shows_paths(bodies) || (kind->moments != nullptr && !kind->moments(info, keys.values()).empty());
}

bool PicturePlan::shows_bodies() const {
  if (parts.empty()) return kind->needs_frames;
  return std::ranges::any_of(parts, [](const PicturePart& part) { return part.kind->needs_frames; });
}

bool PicturePlan::shows_paths(std::size_t bodies) const {
  return bodies <= render::max_bodies_with_paths || (kind->has_paths && fewest_chosen <= render::max_bodies_with_paths);
}

bool PicturePlan::needs_opengl(std::size_t bodies) const {
  if (!format->pixels || !shows_paths(bodies)) return false;
  return kind->needs_opengl ||
         std::ranges::any_of(parts, [](const PicturePart& part) { return part.kind->needs_opengl; });
}

bool PicturePlan::shows_velocities() const {
  const auto asks = [](const render::FigureKind& of, const Section& with) {
    return of.velocity_key != nullptr && !of.velocity_key(with.values()).empty();
  };
  return asks(*kind, keys) ||
         std::ranges::any_of(parts, [&](const PicturePart& part) { return asks(*part.kind, part.keys); });
}

std::string PicturePlan::summary() const {
  if (format->numbers) return fmt::format("figure {}: numbers of {}", file, kind->name);
  if (!moving) return fmt::format("figure {}: {}, {} × {} pixels", file, kind->name, size.width, size.height);
  const render::Size kept = film.codec ? render::even(size) : size;
  return fmt::format(
      "film {}: {}, {} × {} pixels{}, {} frames, {:.3g} s{}", file, kind->name, kept.width, kept.height,
      kept == size ? "" : fmt::format(" (of {} × {}: video has even sides)", size.width, size.height), frames,
      frames / film.frames_per_second,
      film.max_bytes > 0 ? fmt::format(", at most {:.4g} MB", static_cast<double>(film.max_bytes) / 1e6)
      : film.codec
          ? fmt::format(", {}{}{}", render::name_of(*film.codec),
                        film.pixel_format == render::pixel_formats.front() ? "" : fmt::format(" {}", film.pixel_format),
                        film.codec == render::Codec::h264 && (kept.width > 4096 || kept.height > 2304)
                            ? "; many players support at most 4096 × 2304 pixels"
                            : "")
          : "");
}

PicturePlan PicturePlan::preview() const {
  constexpr double widest = 640, max_fps = 15, longest = 5;
  PicturePlan small = *this;
  const std::filesystem::path name(file);
  small.file = name.stem().string() + "-preview" + name.extension().string();
  const double factor = std::max(2.0, size.width / widest);
  const auto side = [&](int pixels) { return std::max(64, 2 * static_cast<int>(std::lround(pixels / factor / 2))); };
  small.size = {side(size.width), side(size.height)};
  small.dpi = dpi / factor;
  if (!moving) return small;
  const double rate = film.frames_per_second;
  small.film.frames_per_second = std::min(rate, max_fps);
  small.frames =
      std::max(2, static_cast<int>(std::lround(small.film.frames_per_second * std::min(frames / rate, longest))));
  return small;
}

PicturePlan PicturePlan::reduced(double too_large) const {
  constexpr double min_pixels = 240 * 135, min_side = 64;
  PicturePlan plan = *this;
  const double width = size.width, height = size.height;
  // For point clouds, bytes grow about as the power 2/3 of the pixels.
  const double least = std::max(std::sqrt(min_pixels / (width * height)), min_side / std::min(width, height));
  const double factor = std::min(1.0, std::max(std::pow(too_large, -0.75), least));
  const auto side = [&](int pixels) {
    const int rounded = static_cast<int>(std::lround(factor * pixels));
    return factor > least ? std::min(rounded, pixels - 1) : rounded;
  };
  plan.size = {side(size.width), side(size.height)};
  plan.dpi = dpi * plan.size.width / size.width;
  if (plan.size == size) plan.film.min_rate = 0;
  return plan;
}

std::string PicturePlan::reduction(double its_rate, render::Size its_size) const {
  std::string what;
  if (its_size != size)
    what = fmt::format("{} × {} pixels of {} × {}", its_size.width, its_size.height, size.width, size.height);
  if (its_rate < film.frames_per_second) {
    what += fmt::format("{}{:.3g} of {:.3g} frames per second", what.empty() ? "" : " and ", its_rate,
                        film.frames_per_second);
  }
  if (what.empty()) return "";
  return fmt::format("{}: {}, to stay below {:.4g} MB; `max_file_size` in its [[film]] sets the limit, 0 is none", file,
                     what, static_cast<double>(film.max_bytes) / 1e6);
}

void PicturePlan::check_digits() const {
  const std::size_t digits = moving ? static_cast<std::size_t>(render::digits_of(file)) : 0;
  const std::size_t needed = fmt::format("{}", frames - 1).size();
  if (digits > 0 && needed > digits)
    keys.complain("file", fmt::format("`{}`: {} frames need {} digits (#)", file, frames, needed));
}

namespace {

/// A file that both pictures write; "" if there is none.
std::string common_file(const PicturePlan& a, const PicturePlan& b) {
  if (a.file == b.file) return a.file;
  if (!a.numbered()) return b.numbered() ? common_file(b, a) : "";
  if (!b.numbered()) return render::is_numbered(a.file, b.file) ? b.file : "";
  for (int k = 0; k < b.frames; ++k) {
    const std::string file = render::numbered(b.file, k);
    if (render::is_numbered(a.file, file)) return file;
  }
  return "";
}

}  // namespace

void check_preview_names(std::span<const PicturePlan> plans) {
  for (const PicturePlan& plan : plans) {
    const PicturePlan preview = plan.preview();
    const auto is_it = [&](const PicturePlan& other) { return !common_file(preview, other).empty(); };
    if (std::ranges::any_of(plans, is_it)) {
      plan.keys.complain(
          "file", fmt::format("the preview of {} would be {}, which is another picture: rename one of them", plan.file,
                              preview.file));
    }
  }
}

std::string PicturePlan::last_file() const {
  return numbered() ? render::numbered(file, end() - 1) : written_file();
}

std::vector<PicturePlan> plan_pictures(const Subject& subject, const std::vector<Picture>& pictures) {
  std::vector<PicturePlan> plans;
  for (const Picture& picture : pictures) {
    const PicturePlan next = plan(subject, picture);
    const auto complain = [&](const std::string& why) { next.keys.complain("file", why); };
    if (next.file == subject.file) complain(next.file + " is the name of the trajectory");
    if (next.file == summary_name) complain(next.file + " is the name of the summary of the run");
    for (const PicturePlan& other : plans) {
      const std::string file = common_file(other, next);
      if (file.empty()) continue;
      complain(next.file == other.file ? fmt::format("two pictures have the name {}", file)
                                       : fmt::format("{} would be written by {} and by {}: rename one of them", file,
                                                     other.file, next.file));
    }
    plans.push_back(next);
  }
  return plans;
}

}  // namespace orrery::pipeline
