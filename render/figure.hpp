// SPDX-License-Identifier: MIT
// A figure takes in frame after frame and draws itself; the list of all kinds of figures.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

class Canvas;
struct Drawing;

/// One picture, still or moving. A still is shown every frame and drawn once; a film is drawn after each.
class Figure {
 public:
  Figure() = default;
  Figure(const Figure&) = delete;
  Figure& operator=(const Figure&) = delete;
  virtual ~Figure() = default;

  /// Takes in the next frame: bodies move, trails and curves grow. Frames come in the order of the run, whose times
  /// rise, or fall where it goes backward.
  virtual void show(const Frame& frame) = 0;

  /// Lays out what was shown on a drawing of this size and scale, before it is drawn there. A film decides here, the first time,
  /// what holds for all of it: ranges of colours, exposure, room for numbers.
  virtual void prepare(const Drawing& /*blank*/) {}

  /// Adds the shapes of what was prepared.
  virtual void draw(Drawing& drawing) const = 0;
};

/// The scene of a figure, which must outlive it.
inline auto scene_of(Figure& figure) {
  return [&figure](Drawing& drawing) {
    figure.prepare(drawing);
    figure.draw(drawing);
  };
}

/// More bodies than this are a crowd, whose paths no eye can follow: it is shown without.
inline constexpr std::size_t most_bodies_with_paths = 64;

/// How long the path behind a body stays visible: 0 none, infinity all of it.
struct Trails {
  double time = 0;
  bool still = time == std::numeric_limits<double>::infinity();  ///< one picture of a moment, not one of a film
};

/// A kind of figure describes itself and makes figures.
struct FigureKind {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters;  ///< its own keys, besides those every figure has
  bool needs_frames;                      ///< false: it reads series alone
  std::unique_ptr<Figure> (*make)(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails);
  /// Times that a still must be shown, besides what else it is shown; null: the last frame, and the others where bodies
  /// have paths.
  std::vector<double> (*moments)(const RunInfo& info, const Arguments& arguments) = nullptr;
  bool has_paths = false;  ///< bodies leave trails, where they are few
  /// The key that asks for velocities of frames, "" where none does; null: none ever does.
  std::string_view (*velocity_key)(const Arguments& arguments) = nullptr;
};

/// The usual `make` of a kind whose figures are of class F.
template <class F>
std::unique_ptr<Figure> make(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails) {
  return std::make_unique<F>(canvas, info, arguments, trails);
}

/// The keys of a kind, with those that every figure of curves has.
std::vector<Parameter> keys_of(const FigureKind& kind);

/// The kind of that name, which must be there.
const FigureKind& figure_kind(std::string_view name);

/// Every kind, in the order of `orrery list figure`.
std::span<const FigureKind* const> figure_kinds();

}  // namespace orrery::render
