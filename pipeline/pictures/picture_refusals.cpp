// SPDX-License-Identifier: MIT
// Each is refused where it stands, with what to do.
#include "pipeline/pictures/picture_refusals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/pictures/picture_keys.hpp"

namespace orrery::pipeline {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Error(where + ": " + why, 2);
}

}  // namespace

bool has_parts(const render::FigureKind& kind) {
  return std::ranges::find(kind.parameters, "part", &Parameter::name) != kind.parameters.end();
}

void refuse_keys_of_the_whole(const Document& document, std::string_view table, const std::string& part, std::size_t k,
                              const render::FigureKind& kind) {
  for (const Parameter& key : picture_keys(table)) {
    if (key.name == "kind" || key.name == "title") continue;
    if (std::ranges::find(kind.parameters, key.name, &Parameter::name) != kind.parameters.end()) continue;
    if (const auto where = document.where(part, k, key.name)) {
      refuse(*where, fmt::format("a part has no `{}` of its own: it is a key of the whole picture, above the first "
                                 "[[{}.part]]",
                                 key.name, table));
    }
  }
}

void refuse_bodies(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind) {
  if (std::ranges::find(kind.parameters, "bodies", &Parameter::name) != kind.parameters.end()) return;
  const auto where = document.where(table, i, "bodies");
  if (!where) return;
  refuse(*where, has_parts(kind) ? fmt::format("`bodies` is a key of each part: write it below its [[{}.part]]", table)
                                 : fmt::format("`bodies` are those that a figure shows, and {} is of all of them "
                                               "together: leave the key out",
                                               kind.name));
}

void refuse_keys_of_paper(const Document& document, std::size_t film) {
  for (const char* key : {"width", "dpi"}) {
    if (const auto where = document.where("film", film, key))
      refuse(*where, fmt::format("films are in pixels: `size` in the place of `{}`", key));
  }
}

void refuse_idle_trails(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind,
                        const std::vector<PicturePart>& parts) {
  const bool idle = parts.empty()
                        ? !kind.has_paths
                        : std::ranges::none_of(parts, [](const PicturePart& part) { return part.kind->has_paths; });
  const auto where = idle ? document.where(table, i, "trails") : std::nullopt;
  if (where) {
    refuse(*where, fmt::format("`trails` are paths behind bodies, and {} draws none: leave the key out",
                               parts.empty() ? kind.name : "each of these parts"));
  }
}

}  // namespace orrery::pipeline
