// SPDX-License-Identifier: MIT
// Figures and films as plain values; [[figure]] and [[film]] tables are read into them and written from them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/scenario/section.hpp"
#include "render/figure.hpp"

namespace orrery::pipeline {

/// One figure of a picture that has several.
struct PicturePart {
  const render::FigureKind* kind;
  Section keys;
};

/// A figure or film of a run: its keys with all defaults, and where messages say that they are written.
struct Picture {
  const render::FigureKind* kind;
  bool moving;                       ///< a film
  Section keys;                      ///< those of its parts, with their kinds, are records `part`
  std::vector<PicturePart> parts{};  ///< if the kind has parts

  /// The name of its table, "figure" or "film".
  [[nodiscard]] std::string_view table() const { return moving ? "film" : "figure"; }
  /// The keys of the picture and of its parts.
  [[nodiscard]] std::vector<const Section*> sections() const;
  /// Sets records `part` to the keys of the parts, which have changed.
  void record_parts();

  /// The name of its file.
  [[nodiscard]] const std::string& file() const;
  /// What its colours stand for, "component"; "" if that is not said.
  [[nodiscard]] std::string color_by() const;

  /// Whether all values are equal, to the last bit.
  friend bool operator==(const Picture& a, const Picture& b);
};

/// A picture from the values of some of its keys, among them `kind`, `file` and, as records with a `kind` each, `part`.
/// `keys.place` is for messages, "" for "figure KIND". Throws Error, Fault::request, as for a table.
Picture make_picture(bool moving, GivenKeys keys);

/// The figures and films of a document. The first [[figure]] or [[film]], as `first_table` says, has also the keys `first`, and need
/// not be in the document. Throws Error, Fault::request.
std::vector<Picture> read_pictures(const Document& document, std::string_view first_table = "",
                                   const GivenKeys& first = {});

/// A picture whose keys `other` and `others`, and those of its parts, name the runs change(file).
Picture with_other_runs(Picture picture, const std::function<std::string(const std::string&)>& change);

/// The figure in another file, without its title; with at most `widest` pixels across, if that is not 0.
Picture untitled(Picture figure, const std::string& file, double widest = 0);

/// A table [[figure]] or [[film]] that reads back as the same picture.
std::string to_toml(const Picture& picture);

/// All keys of a picture of that kind; `section` is "figure" or "film".
std::vector<Parameter> keys_of(std::string_view section, const render::FigureKind& kind);

/// The kind of that name. Throws Error at `place`, Fault::request, if there is none.
const render::FigureKind& figure_kind(std::string_view name, std::string_view place);

}  // namespace orrery::pipeline
