// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

class Canvas;
struct Chart;
struct Drawing;

/// The charts of each part of a figure; of a chart, which has no parts, those of one.
using PartCharts = std::span<const std::vector<Chart>>;

/// One picture. In a still all frames are shown and then it is drawn once; in a film it is drawn after each frame. For
/// a piece of a film, the first frame of the film is shown and prepared. The other frames before the piece are shown if
/// bodies are few, or the figure has paths or moments (see FigureKind): other figures must not depend on them.
class Figure {
 public:
  Figure() = default;
  Figure(const Figure&) = delete;
  Figure& operator=(const Figure&) = delete;
  virtual ~Figure() = default;

  /// Adds the next frame: moves the bodies and extends trails and curves. Frames come in the order of the run: with increasing
  /// times, or decreasing ones if the run goes backward in time.
  virtual void show(const Frame& frame) = 0;

  /// The same for RunInfo::others[other], whose frames come after those of the first run. Figures of one run have none.
  virtual void show_other(std::size_t /*other*/, const Frame& /*frame*/) {}

  /// Lays out the shown frames for a drawing of this size and scale, before each draw(). The first call in a film fixes what
  /// holds for all of it: colour ranges, exposure, space for tick labels.
  virtual void prepare(const Drawing& /*blank*/) {}

  /// Adds the prepared shapes to the drawing.
  virtual void draw(Drawing& drawing) const = 0;

  /// Returns the charts that it draws, in order; none unless it, or a part of it, is a chart.
  [[nodiscard]] virtual std::vector<const Chart*> charts() const { return {}; }

  /// Returns what it says about what lies between frames and cannot be shown; "" if nothing.
  [[nodiscard]] virtual std::string remark() const { return ""; }
};

/// Returns the scene of a figure, which must outlive it.
inline auto scene_of(Figure& figure) {
  return [&figure](Drawing& drawing) {
    figure.prepare(drawing);
    figure.draw(drawing);
  };
}

/// More bodies than this are drawn as a point cloud, without paths.
inline constexpr std::size_t max_bodies_with_paths = 64;

/// How long the path behind a body stays visible: 0 means none, infinity all of it.
struct Trails {
  double time = 0;
  bool still = time == std::numeric_limits<double>::infinity();  ///< a still rather than a picture of a film
};

/// The description of a kind of figure, and its factory.
struct FigureKind {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters{};  ///< its own keys; see keys_of() for those that it shares
  bool needs_frames = false;                ///< false: charts are enough
  std::unique_ptr<Figure> (*make)(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails,
                                  PartCharts charts);
  /// Times that a still must be shown; null: the last frame, and the others if bodies have paths.
  std::vector<double> (*moments)(const RunInfo& info, const Arguments& arguments) = nullptr;
  bool has_paths = false;     ///< bodies leave trails unless there are too many
  bool needs_opengl = false;  ///< pixels of few bodies are drawn by OpenGL
  /// Returns the key that requires velocities in frames, or ""; null: velocities are never required.
  std::string_view (*velocity_key)(const Arguments& arguments) = nullptr;

  /// Returns whether it draws Figure::charts() and nothing else.
  [[nodiscard]] bool is_chart() const { return !needs_frames; }
};

/// The usual FigureKind::make for figures of class F without charts.
template <class F>
std::unique_ptr<Figure> make(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails,
                             PartCharts /*charts*/) {
  return std::make_unique<F>(canvas, info, arguments, trails);
}

/// FigureKind::make for charts, which are copied.
std::unique_ptr<Figure> make_chart(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails,
                                   PartCharts charts);

/// A figure that draws charts.
constexpr FigureKind chart_figure(std::string_view name, std::string_view meaning,
                                  std::span<const Parameter> parameters = {}) {
  return {.name = name, .meaning = meaning, .parameters = parameters, .make = make_chart};
}

/// A key that takes one of several texts; optional if `fallback` is empty.
constexpr Parameter choice_key(std::string_view name, std::string_view fallback,
                               std::span<const std::string_view> choices, std::string_view meaning) {
  return {.name = name,
          .kind = Kind::text,
          .fallback = fallback,
          .meaning = meaning,
          .choices = choices,
          .optional = fallback.empty()};
}

/// An optional key.
constexpr Parameter optional_key(std::string_view name, Kind kind, std::string_view example, std::string_view meaning,
                                 std::string_view unit = "") {
  return {.name = name, .kind = kind, .example = example, .meaning = meaning, .unit = unit, .optional = true};
}

/// The key of figures that show several runs.
inline constexpr Parameter others_parameter =
    optional_key("others", Kind::texts, "[\"other.h5\"]",
                 "trajectories of other runs to compare with, relative to the folder of this one");

/// An optional key that takes [from, to].
constexpr Parameter interval_key(std::string_view name, std::string_view example, std::string_view meaning,
                                 std::string_view unit = "") {
  Parameter key = optional_key(name, Kind::numbers, example, meaning, unit);
  key.count = 2;
  return key;
}

/// Returns the keys of a kind, including those that all figures of curves share.
std::vector<Parameter> keys_of(const FigureKind& kind);

/// Returns the kinds of figures of bodies in the order of `orrery list figure`.
std::span<const FigureKind* const> figure_kinds();

}  // namespace orrery::render
