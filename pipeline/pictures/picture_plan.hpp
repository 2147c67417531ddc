// SPDX-License-Identifier: MIT
// One [[figure]] or [[film]]: its keys read and checked, nothing drawn yet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pictures/subject.hpp"
#include "render/canvas/canvas.hpp"
#include "render/figure.hpp"
#include "render/film/codec.hpp"

namespace orrery::pipeline {

/// One figure of several in a picture.
struct PicturePart {
  const render::FigureKind* kind;
  Section section;
};

struct PicturePlan {
  const render::FigureKind* kind;
  Section section;
  std::string file;              ///< a plain name; with a number, as frames-####.png, of a film in many files
  const render::Format* format;  ///< pixels take OpenGL
  render::Size size;
  render::Theme theme;
  double dpi = 300;
  render::Lettering lettering = render::Lettering::by_canvas;
  double trails;        ///< infinity for a still that shows all of the paths
  bool moving = false;  ///< the rest is for films
  double fps = 0;
  int frames = 0;
  std::optional<render::Codec> codec{};  ///< of an .mp4 or .webm
  std::uintmax_t most_bytes = 0;         ///< of a GIF; 0: no limit
  double least_fps = 10;                 ///< that a GIF keeps where it is too large
  std::vector<PicturePart> parts{};      ///< where the kind has any

  /// Whether it is a film with a file for each frame.
  [[nodiscard]] bool numbered() const;
  /// Whether it shows bodies: what is made of curves alone needs no frame.
  [[nodiscard]] bool shows_bodies() const;
  /// Its own keys and those of its parts.
  [[nodiscard]] std::vector<const Section*> sections() const;
  /// Whether it shows the paths of so many bodies, or those of few of them.
  [[nodiscard]] bool shows_paths(std::size_t bodies) const;
  /// Whether it shows how fast bodies of a crowd are, in colours, or turns with two of them.
  [[nodiscard]] bool shows_velocities() const;
  /// The same, small and quick: half the size and 640 pixels wide at most, 15 frames a second and 5 s at most, under a
  /// name that ends in -preview.
  [[nodiscard]] PicturePlan preview() const;
  /// The same film of so many frames.
  [[nodiscard]] PicturePlan of_length(int its_frames) const;
  /// The same film of fewer pixels, where its file has so many times the bytes that it may have. One that is as small as it
  /// may get (240 × 135 pixels, or a side of 64) may show fewer frames a second instead.
  [[nodiscard]] PicturePlan smaller(double too_large) const;
  /// What of it is left out in a film of these frames a second and this size; "" where nothing is.
  [[nodiscard]] std::string left_out(double its_fps, render::Size its_size) const;
  /// Throws Error, exit code 2, where frames in files of their own have too few digits: longer numbers would sort wrongly.
  void check_digits() const;
  /// The name that is there when the picture is: of a film in many files the last.
  [[nodiscard]] std::string sign() const;
  /// "film orbit.mp4: 300 frames, 10 s"
  [[nodiscard]] std::string line() const;
};

/// All keys of a picture of that kind; `section` is "figure" or "film".
std::vector<Parameter> keys_of(std::string_view section, const render::FigureKind& kind);

/// Throws Error, exit code 2, where one of the previews has the name of another picture.
void refuse_preview_over_another(std::span<const PicturePlan> plans);

/// Every figure and film that the document asks for. Throws Error, exit code 2.
std::vector<PicturePlan> plan_pictures(const Subject& subject);

}  // namespace orrery::pipeline
