// SPDX-License-Identifier: MIT
// A picture and its run, ready to be drawn.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/picture.hpp"
#include "pipeline/pictures/subject.hpp"
#include "render/canvas/canvas.hpp"
#include "render/film/film.hpp"

namespace orrery::pipeline {

/// Symbols of the units that a picture shows.
struct ShownUnits {
  std::string time{};            ///< "own": of the run; empty: a readable one, or dates
  std::string length{}, mass{};  ///< empty: of the run
};

/// A picture of a certain run, its times as numbers.
struct PicturePlan : Picture {
  std::string file{};  ///< without folders; "frames-####.png" for a film with one file per frame
  const render::Format* format = nullptr;
  render::Size size{};
  render::Theme theme{};
  double dpi = 300;
  std::optional<std::string> title{};  ///< nullopt: that of the runs
  ShownUnits units{};
  render::Lettering lettering = render::Lettering::by_canvas;
  double trails = 0;           ///< length of paths as a time; infinity: whole paths
  int frames = 0;              ///< of a film
  render::FilmOptions film{};  ///< all but provenance and replacing, which its destination has
  /// The least number of bodies that keys `bodies` and `components` of the picture or a part choose; the maximum: none do.
  std::size_t fewest_chosen = std::numeric_limits<std::size_t>::max();

  /// Whether it is a film with one file per frame.
  [[nodiscard]] bool numbered() const;
  /// Whether it is a film that can be drawn in pieces.
  [[nodiscard]] bool divisible() const { return moving && (film.codec || numbered()); }
  /// The frames [begin, end) of a film that are drawn.
  [[nodiscard]] int begin() const { return film.piece ? film.piece->begin() : 0; }
  [[nodiscard]] int end() const { return film.piece ? film.piece->end() : frames; }
  /// The name of the file that is written: `file`, or that of the piece.
  [[nodiscard]] std::string written_file() const;
  /// Whether it reads frames, rather than only curves.
  [[nodiscard]] bool shows_bodies() const;
  /// Whether it shows paths: of all `bodies` if they are few, else if its keys choose few.
  [[nodiscard]] bool shows_paths(std::size_t bodies) const;
  /// Whether it, or a part of it, needs OpenGL.
  [[nodiscard]] bool needs_opengl(std::size_t bodies) const;
  /// Whether a picture of the film depends on the frames before it, as paths do. Otherwise it depends on its own frame,
  /// and on the first one of the film, for which figures are prepared.
  [[nodiscard]] bool remembers(std::size_t bodies, const render::RunInfo& info) const;
  /// Whether it needs velocities even for many bodies: for colours, or to turn with two bodies.
  [[nodiscard]] bool shows_velocities() const;
  /// A preview under the name NAME-preview: half the size and at most 640 pixels wide, at most 15 frames per second and 5 s.
  [[nodiscard]] PicturePlan preview() const;
  /// A GIF with fewer pixels, if the file is `too_large` times its limit. At the minimum size (240 × 135 pixels, or a side of
  /// 64) it lifts the least rate instead.
  [[nodiscard]] PicturePlan reduced(double too_large) const;
  /// A note on how a GIF of `its_rate` and `its_size` differs from this plan; "" if it does not.
  [[nodiscard]] std::string reduction(double its_rate, render::Size its_size) const;
  /// Throws Error, Fault::request, if a name like frames-##.png has too few digits for all frames.
  void check_digits() const;
  /// The file that is written last.
  [[nodiscard]] std::string last_file() const;
  /// "film orbit.mp4: 300 frames, 10 s"
  [[nodiscard]] std::string summary() const;
};

/// Throws Error, Fault::request, if the preview of a picture would have the name of another picture.
void check_preview_names(std::span<const PicturePlan> plans);

/// The plans of pictures of a run. Throws Error, Fault::request.
std::vector<PicturePlan> plan_pictures(const Subject& subject, const std::vector<Picture>& pictures);

/// Maximum memory of the process in bytes while it draws the picture: an upper bound, up to three times the actual value.
double memory_to_draw(const PicturePlan& plan, std::size_t bodies);

/// Throws Error, Fault::request, if that is more than the available memory, with a size that fits.
void refuse_too_large(const PicturePlan& plan, std::size_t bodies);

}  // namespace orrery::pipeline
