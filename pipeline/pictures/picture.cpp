// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/scenario/key_error.hpp"

namespace orrery::pipeline {
namespace {

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const render::FigureKind* kind : figure_kinds()) names.push_back(kind->name);
  return names;
}

/// The kind of table i, which may be among `given`.
const render::FigureKind& kind_of(const Document& document, std::string_view table, std::size_t i,
                                  const GivenKeys& given) {
  const std::string fallback = given.values.has("kind") ? given.values.text("kind") : "";
  return figure_kind(document.kind(table, i, kind_names(), fallback), given.place);
}

/// The keys of each part of a picture: those given, else a figure of each of two kinds.
std::vector<GivenKeys> parts_given(const GivenKeys& picture) {
  if (!picture.values.has("part")) return {{{{"kind", "view3d"}}}, {{{"kind", "energy-error"}}}};
  std::vector<GivenKeys> parts;
  for (const Arguments& part : picture.values.records("part")) parts.push_back({part, picture.place});
  return parts;
}

/// The [[part]] tables of picture i of `table`.
std::vector<PicturePart> read_parts(const Document& document, std::string_view table, std::size_t i,
                                    const GivenKeys& given) {
  const std::string name = fmt::format("{}[{}].part", table, i);
  const std::size_t count = document.count(name);
  const std::vector<GivenKeys> values = count > 0 ? std::vector<GivenKeys>(count) : parts_given(given);
  std::vector<PicturePart> parts;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const render::FigureKind& kind = kind_of(document, name, k, values[k]);
    refuse_picture_keys(document, table, name, k, kind);
    std::vector<Parameter> keys{
        {.name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "kind of figure"},
        {.name = "title", .kind = Kind::text, .meaning = "title of this part; default: none", .optional = true}};
    std::ranges::copy(render::keys_of(kind), std::back_inserter(keys));
    refuse_bodies(document, name, k, kind);
    parts.push_back({&kind, document.table(name, k, keys, values[k])});
    if (has_parts(kind)) {
      parts.back().keys.complain(
          "kind", fmt::format("a part cannot be \"{}\", which has parts itself: write one [[{}.part]] for each figure",
                              kind.name, table));
    }
  }
  return parts;
}

Picture read_picture(const Document& document, std::string_view table, std::size_t i, const GivenKeys& given) {
  const render::FigureKind& kind = kind_of(document, table, i, given);
  if (table == "film") refuse_paper_keys(document, i);
  refuse_bodies(document, table, i, kind);
  if (!has_parts(kind)) refuse_trails(document, table, i, kind, {});
  Picture picture{&kind, table == "film", document.table(table, i, keys_of(table, kind), given)};
  if (!has_parts(kind)) return picture;
  picture.parts = read_parts(document, table, i, given);
  refuse_trails(document, table, i, kind, picture.parts);
  picture.record_parts();
  return picture;
}

}  // namespace

const std::string& Picture::file() const {
  return keys->text("file");
}

std::string Picture::color_by() const {
  return keys->has("color_by") ? keys->text("color_by") : "";
}

Picture untitled(Picture figure, const std::string& file, double widest) {
  figure.keys.set("file", file);
  figure.keys.set("title", std::string());
  if (widest == 0) return figure;
  std::vector<double> size{1600, 1200};  // the default
  if (figure.keys->has("size")) size = figure.keys->numbers("size");
  const double factor = std::min(1.0, widest / size[0]);
  figure.keys.set("size", std::vector<double>{std::round(factor * size[0]), std::round(factor * size[1])});
  return figure;
}

std::vector<const Section*> Picture::sections() const {
  std::vector<const Section*> all{&keys};
  for (const PicturePart& part : parts) all.push_back(&part.keys);
  return all;
}

void Picture::record_parts() {
  std::vector<Arguments> records;
  std::vector<std::string> places;
  for (const PicturePart& part : parts) {
    records.push_back(part.keys.values());
    records.back().set("kind", std::string(part.kind->name));
    places.push_back(part.keys.where(""));
  }
  keys.set_records("part", std::move(records), places);
}

bool operator==(const Picture& a, const Picture& b) {
  return to_toml(a) == to_toml(b);
}

Picture make_picture(bool moving, GivenKeys keys) {
  const std::string_view table = moving ? "film" : "figure";
  if (keys.place.empty()) keys.place = fmt::format("{} {}", table, keys.values.text("kind"));
  return read_picture(Document("", keys.place, {}), table, 0, keys);
}

std::vector<Picture> read_pictures(const Document& document, std::string_view first_table, const GivenKeys& first) {
  std::vector<Picture> all;
  for (const std::string_view table : {"figure", "film"}) {
    const std::size_t needed = table == first_table ? 1 : 0;
    for (std::size_t i = 0; i < std::max(document.count(table), needed); ++i)
      all.push_back(read_picture(document, table, i, i < needed ? first : GivenKeys()));
  }
  return all;
}

Picture with_other_runs(Picture picture, const std::function<std::string(const std::string&)>& change) {
  const auto change_keys = [&](Section& keys) {
    if (keys->has("other")) keys.set("other", change(keys->text("other")));
    if (!keys->has("others")) return;
    std::vector<std::string> files = keys->texts("others");
    for (std::string& file : files) file = change(file);
    keys.set("others", std::move(files));
  };
  change_keys(picture.keys);
  for (PicturePart& part : picture.parts) change_keys(part.keys);
  if (!picture.parts.empty()) picture.record_parts();
  return picture;
}

std::string to_toml(const Picture& picture) {
  return fmt::format("[[{}]]\n{}\n", picture.table(), fmt::join(picture.keys.lines(), "\n"));
}

std::vector<Parameter> keys_of(std::string_view section, const render::FigureKind& kind) {
  std::vector<Parameter> all(picture_keys(section).begin(), picture_keys(section).end());
  if (!kind.has_paths) std::erase_if(all, [](const Parameter& key) { return key.name == "trails"; });
  std::ranges::copy(render::keys_of(kind), std::back_inserter(all));
  return all;
}

const render::FigureKind& figure_kind(std::string_view name, std::string_view place) {
  const std::vector<const render::FigureKind*> kinds = figure_kinds();
  const auto found = std::ranges::find(kinds, name, &render::FigureKind::name);
  if (found != kinds.end()) return **found;
  const std::vector<std::string_view> names = kind_names();
  throw KeyError(
      std::string(place), "kind",
      fmt::format("there is no such figure{} (there are: {})", suggestion(name, names), fmt::join(names, ", ")));
}

}  // namespace orrery::pipeline
