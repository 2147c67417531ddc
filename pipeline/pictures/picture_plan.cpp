// SPDX-License-Identifier: MIT
// From [[figure]] and [[film]] tables to what the render room wants to know.
#include "pipeline/pictures/picture_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>

#include "pipeline/pictures/picture_format.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/pictures/picture_refusals.hpp"
#include "pipeline/pictures/series.hpp"
#include "pipeline/pictures/shown_time.hpp"
#include "pipeline/scenario/duration.hpp"
#include "render/film/sequence.hpp"

namespace orrery::pipeline {
namespace {

/// One period, else 5 % of the run; all of it for a still. What the scenario says counts first.
double trails_of(const Section& section, const Subject& subject, bool moving) {
  if (section.given("trails")) return time_of(section, "trails", subject.time_units());
  if (!moving) return std::numeric_limits<double>::infinity();
  return subject.timescale_name == "period" ? subject.timescale : 0.05 * std::abs(subject.end);
}

const render::FigureKind& kind_of(const Document& document, std::string_view table, std::size_t i,
                                  std::string_view fallback) {
  std::vector<std::string_view> names;
  for (const auto* kind : render::figure_kinds()) names.push_back(kind->name);
  return render::figure_kind(document.kind(table, i, names, fallback));
}

/// Times as numbers, which is what figures know.
void settle_times(Section& section, const render::FigureKind& kind, const TimeUnits& units) {
  for (const Parameter& key : kind.parameters) {
    if (!section->has(key.name)) continue;
    if (key.kind == Kind::numbers_or_texts && key.unit == "time")
      section.settle(key.name, times_of(section, key.name, units));
    if (key.kind == Kind::number_or_text && key.unit == "time")
      section.settle(key.name, time_of(section, key.name, units));
    if (key.kind != Kind::records) continue;
    auto records = section->records(key.name);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Value* time = records[i].find("time");
      if (time != nullptr) records[i].set("time", time_of(section, fmt::format("{}[{}]", key.name, i), *time, units));
    }
    section.settle(key.name, std::move(records));
  }
}

/// Who is followed as a text, which is what figures know: a body's number may stand without quotes.
void settle_follow(Section& section) {
  if (const Value* follow = section->find("follow")) section.settle("follow", text_of(*follow));
}

void check_velocities(const Subject& subject, const Section& section, const render::FigureKind& kind) {
  const std::string_view key = kind.velocity_key != nullptr ? kind.velocity_key(section.values()) : "";
  if (subject.velocities || key.empty()) return;
  section.complain(key, fmt::format("velocities are not kept: `{} = \"{}\"` needs `velocities = true` in [trajectory]",
                                    key, section->text(key)));
}

/// Times say how many there are. A count by default is there in every scenario that was written out.
void refuse_idle_count(const Section& section, const render::FigureKind& kind) {
  const auto count = std::ranges::find(kind.parameters, "count", &Parameter::name);
  if (count == kind.parameters.end() || !section.given("times") || !section.given("count")) return;
  if (to_toml(*section->find("count")) != count->fallback)
    section.complain("count", "`times` say how many there are: leave one of them out");
}

/// What is said of bodies and times in the keys of a kind is checked, and written as figures know it.
void settle(Section& section, const Subject& subject, const render::FigureKind& kind) {
  check_velocities(subject, section, kind);
  refuse_idle_count(section, kind);
  settle_times(section, kind, subject.time_units());
  settle_follow(section);
}

/// The tables within picture i of `table`, each checked against its kind; without any, the view and the curve that most
/// people put beside each other.
std::vector<PicturePart> parts_of(const Subject& subject, std::string_view table, std::size_t i, Section& section) {
  const Document& document = subject.document;
  static constexpr std::string_view usual[] = {"view3d", "energy-error"};
  const std::string name = fmt::format("{}[{}].part", table, i);
  const std::size_t given = document.count(name);
  std::vector<PicturePart> parts;
  std::vector<Arguments> records;
  std::vector<std::string> places;
  for (std::size_t k = 0; k < (given > 0 ? given : std::size(usual)); ++k) {
    const render::FigureKind& kind = kind_of(document, name, k, given > 0 ? "" : usual[k]);
    refuse_keys_of_the_whole(document, table, name, k, kind);
    std::vector<Parameter> keys{
        {.name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "what to draw"},
        {.name = "title", .kind = Kind::text, .meaning = "above this part; left out, none", .optional = true}};
    std::ranges::copy(render::keys_of(kind), std::back_inserter(keys));
    refuse_bodies(document, name, k, kind);
    parts.push_back({&kind, document.table(name, k, keys)});
    if (has_parts(kind)) {
      parts.back().section.complain(
          "kind",
          fmt::format("a part cannot be \"{}\", which has parts itself: give each figure a [[{}.part]] of this one",
                      kind.name, table));
    }
    settle(parts.back().section, subject, kind);
    records.push_back(parts.back().section.values());
    records.back().set("kind", std::string(kind.name));
    places.push_back(parts.back().section.where(""));
  }
  section.replace("part", "part", std::move(records), places);
  return parts;
}

/// Parts in a column of a journal stand one upon another: where `width` is given and `size` is not, the job is as high as
/// they want.
render::Size size_of(const Section& section, const render::Format& format, const std::vector<PicturePart>& parts) {
  render::Size size = size_of(section, format);
  if (parts.size() < 2 || !section.given("width") || section->has("size")) return size;
  constexpr double column = 12;  // cm, at most
  const bool beside = section->has("columns") && section->integer("columns") > 1;
  if (beside || 2.54 * size.width / section->number("dpi") > column) return size;
  const double height = std::clamp(0.62 * static_cast<double>(parts.size()), 0.75, 2.6) * size.width;
  size.height = std::min(16384, static_cast<int>(std::lround(height)));
  return size;
}

PicturePlan plan(const Subject& subject, std::string_view table, std::size_t i) {
  const Document& document = subject.document;
  const render::FigureKind& kind = kind_of(document, table, i, "");
  if (table == "film") refuse_keys_of_paper(document, i);
  refuse_bodies(document, table, i, kind);
  if (!has_parts(kind)) refuse_idle_trails(document, table, i, kind, {});
  Section section = document.table(table, i, keys_of(table, kind));
  settle(section, subject, kind);
  refuse_unknown_time_unit(section, subject);
  std::vector<PicturePart> parts;
  if (has_parts(kind)) {
    parts = parts_of(subject, table, i, section);
    refuse_idle_trails(document, table, i, kind, parts);
  }

  const bool moving = table == "film";
  const std::filesystem::path file = section->text("file");
  const render::Format& format = checked_format(section, file, moving);
  PicturePlan made{.kind = &kind,
                   .section = section,
                   .file = file.string(),
                   .format = &format,
                   .size = size_of(section, format, parts),
                   .theme = render::theme_named(section->text("theme")),
                   .dpi = moving ? 96.0 : section->number("dpi"),
                   .lettering = moving                   ? render::Lettering::of_film
                                : section.given("width") ? render::Lettering::by_page
                                                         : render::Lettering::by_canvas,
                   .trails = trails_of(section, subject, moving),
                   .moving = moving,
                   .parts = std::move(parts)};
  if (moving) {
    made.fps = rate_of(section, format);
    made.frames = std::max(2, static_cast<int>(std::lround(made.fps * section->number("duration"))));
    made.codec = codec_of(section, file, format);
    made.most_bytes = most_bytes_of(section, file, format);
  }
  return made;
}

}  // namespace

std::vector<Parameter> keys_of(std::string_view section, const render::FigureKind& kind) {
  std::vector<Parameter> all(picture_keys(section).begin(), picture_keys(section).end());
  if (!kind.has_paths) std::erase_if(all, [](const Parameter& key) { return key.name == "trails"; });
  std::ranges::copy(render::keys_of(kind), std::back_inserter(all));
  return all;
}

bool PicturePlan::numbered() const {
  return format == &render::frame_sequence;
}

bool PicturePlan::shows_bodies() const {
  if (parts.empty()) return kind->needs_frames;
  return std::ranges::any_of(parts, [](const PicturePart& part) { return part.kind->needs_frames; });
}

std::vector<const Section*> PicturePlan::sections() const {
  std::vector<const Section*> all{&section};
  for (const PicturePart& part : parts) all.push_back(&part.section);
  return all;
}

bool PicturePlan::shows_paths(std::size_t bodies) const {
  const auto few = [&](const Section* keys) {
    return (*keys)->has("bodies") && (*keys)->texts("bodies").size() <= render::most_bodies_with_paths;
  };
  return bodies <= render::most_bodies_with_paths || (kind->has_paths && std::ranges::any_of(sections(), few));
}

bool PicturePlan::shows_velocities() const {
  const auto asks = [](const render::FigureKind& of, const Section& keys) {
    return of.velocity_key != nullptr && !of.velocity_key(keys.values()).empty();
  };
  return asks(*kind, section) ||
         std::ranges::any_of(parts, [&](const PicturePart& part) { return asks(*part.kind, part.section); });
}

std::string PicturePlan::line() const {
  if (!moving) return fmt::format("figure {}: {}, {} × {} pixels", file, kind->name, size.width, size.height);
  const render::Size kept = codec ? render::even(size) : size;
  return fmt::format("film {}: {}, {} × {} pixels{}, {} frames, {:.3g} s{}", file, kind->name, kept.width, kept.height,
                     kept == size ? "" : fmt::format(" (of {} × {}: video has even sides)", size.width, size.height),
                     frames, frames / fps,
                     most_bytes > 0 ? fmt::format(", at most {:.4g} MB", static_cast<double>(most_bytes) / 1e6)
                     : codec        ? fmt::format(", {}{}", render::name_of(*codec),
                                           codec == render::Codec::h264 && (kept.width > 4096 || kept.height > 2304)
                                                      ? "; many players take no more than 4096 × 2304 pixels of it"
                                                      : "")
                                    : "");
}

PicturePlan PicturePlan::preview() const {
  constexpr double widest = 640, most_fps = 15, longest = 5;
  PicturePlan small = *this;
  const std::filesystem::path name(file);
  small.file = name.stem().string() + "-preview" + name.extension().string();
  const double factor = std::max(2.0, size.width / widest);
  const auto side = [&](int pixels) { return std::max(64, 2 * static_cast<int>(std::lround(pixels / factor / 2))); };
  small.size = {side(size.width), side(size.height)};
  small.dpi = dpi / factor;
  if (!moving) return small;
  small.fps = std::min(fps, most_fps);
  small.frames = std::max(2, static_cast<int>(std::lround(small.fps * std::min(frames / fps, longest))));
  return small;
}

PicturePlan PicturePlan::of_length(int its_frames) const {
  PicturePlan made = *this;
  made.frames = its_frames;
  return made;
}

PicturePlan PicturePlan::smaller(double too_large) const {
  constexpr double least_pixels = 240 * 135, least_side = 64;
  PicturePlan made = *this;
  const double width = size.width, height = size.height;
  // Of a crowd the bytes are about as the power 2/3 of the pixels.
  const double least = std::max(std::sqrt(least_pixels / (width * height)), least_side / std::min(width, height));
  const double factor = std::min(1.0, std::max(std::pow(too_large, -0.75), least));
  const auto side = [&](int pixels) {
    const int rounded = static_cast<int>(std::lround(factor * pixels));
    return factor > least ? std::min(rounded, pixels - 1) : rounded;
  };
  made.size = {side(size.width), side(size.height)};
  made.dpi = dpi * made.size.width / size.width;
  if (made.size == size) made.least_fps = 0;
  return made;
}

std::string PicturePlan::left_out(double its_fps, render::Size its_size) const {
  std::string what;
  if (its_size != size)
    what = fmt::format("{} × {} pixels of {} × {}", its_size.width, its_size.height, size.width, size.height);
  if (its_fps < fps)
    what += fmt::format("{}{:.3g} of {:.3g} frames a second", what.empty() ? "" : " and ", its_fps, fps);
  if (what.empty()) return "";
  return fmt::format("{}: {}, to stay below {:.4g} MB; `max_file_size` in its [[film]] sets the limit, 0 is none", file,
                     what, static_cast<double>(most_bytes) / 1e6);
}

void PicturePlan::check_digits() const {
  const std::size_t digits = moving ? static_cast<std::size_t>(render::digits_of(file)) : 0;
  const std::size_t needed = fmt::format("{}", frames - 1).size();
  if (digits > 0 && needed > digits)
    section.complain("file", fmt::format("`{}`: {} frames need {} of #", file, frames, needed));
}

void refuse_preview_over_another(std::span<const PicturePlan> plans) {
  for (const PicturePlan& plan : plans) {
    const std::string name = plan.preview().file;
    if (std::ranges::find(plans, name, &PicturePlan::file) != plans.end()) {
      plan.section.complain("file", fmt::format("the preview of {} would be {}, which is another picture: call one of "
                                                "them otherwise",
                                                plan.file, name));
    }
  }
}

std::string PicturePlan::sign() const {
  return numbered() ? render::numbered(file, frames - 1) : file;
}

std::vector<PicturePlan> plan_pictures(const Subject& subject) {
  std::vector<PicturePlan> plans;
  std::set<std::string> files{subject.file};
  for (const std::string_view table : {"figure", "film"}) {
    for (std::size_t i = 0; i < subject.document.count(table); ++i) {
      plans.push_back(plan(subject, table, i));
      if (!files.insert(plans.back().file).second) {
        plans.back().section.complain("file", fmt::format("two pictures cannot both be {}", plans.back().file));
      }
    }
  }
  return plans;
}

}  // namespace orrery::pipeline
