// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/ticks.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

struct Axis {
  Interval limits{};  ///< exponents of ten if logarithmic
  std::string name{}, unit{};
  bool logarithmic = false;
  double unit_length = 1;            ///< labels are values divided by it
  std::optional<DateScale> dates{};  ///< labels are the dates of the values
  float room = 0;       ///< minimum width of tick labels in pixels, to align panels and keep frames in place
  double step = 0;      ///< minimum step between ticks
  double largest = 0;   ///< maximum absolute value on all axes of the same scale
  float name_size = 0;  ///< maximum size of the name of a vertical axis, 0: no limit
  bool written = true;  ///< has tick labels and a name; false if a neighbouring panel shows them
  bool whole = false;   ///< has ticks at integers only
  bool within = false;  ///< drops tick labels that overhang the frame, if two remain: another panel is next to it
};

/// The space that the labels around a panel take, in pixels.
struct Margins {
  float left = 0, top = 0, right = 0, bottom = 0;
};

/// Returns the middle of a pixel, where a thin line is sharp.
inline float crisp(float x) {
  return std::floor(x) + 0.5F;
}

/// A first guess of the margins, for layouts that are repeated until ticks and margins agree.
Margins first_margins(const Style& style);

/// Returns the part of a canvas for panels with these margins: without an edge, `above` pixels for the heading, and
/// `beside` pixels on the right.
Box room_for_panels(const Style& style, Size canvas, const Margins& around, float beside, float above);

/// A plot in a frame, with two axes.
class Panel {
 public:
  /// `box` is the frame, in pixels; labels are outside.
  Panel(const Style& style, Box box, Axis horizontal, Axis vertical);

  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] const Axis& horizontal() const { return horizontal_; }
  [[nodiscard]] const Axis& vertical() const { return vertical_; }
  /// Returns the pixel of a point, in exponents of ten along logarithmic axes.
  [[nodiscard]] Point at(double x, double y) const;
  [[nodiscard]] Margins margins() const;
  /// Returns how far the labels of the horizontal axis overhang the box on the left and on the right.
  [[nodiscard]] std::array<float, 2> overhang() const;
  /// Returns the width of the labels of the vertical axis.
  [[nodiscard]] float numbers() const;
  /// Returns the size of the name of the vertical axis, which shrinks to the height of the box.
  [[nodiscard]] float name_size() const;
  /// Returns the larger tick step of both axes; 0 if neither has two ticks.
  [[nodiscard]] double step() const;

  /// Draws the grid and clips subsequent shapes to the box.
  void open(Drawing& drawing) const;
  /// Ends the clipping and draws frame, ticks, labels and names.
  void close(Drawing& drawing) const;
  /// The two parts of close().
  void draw_frame(Drawing& drawing) const;
  void draw_labels(Drawing& drawing) const;

 private:
  /// Returns whether labels are drawn; those with a common power of ten need the name of the axis, which shows it.
  [[nodiscard]] bool numbered(const Ticks& ticks) const;
  [[nodiscard]] float name_offset() const;
  /// Returns the relative size of words along the vertical axis.
  [[nodiscard]] float name_share(const std::string& words) const;
  /// Returns the name of the vertical axis; its unit, or the words that are too long for the
  /// box, become a second line.
  [[nodiscard]] std::vector<std::string> name_lines() const;
  void write_horizontal(Drawing& drawing) const;
  void write_vertical(Drawing& drawing) const;

  Style style_;
  Box box_;
  Axis horizontal_, vertical_;
  Ticks x_ticks_, y_ticks_;
};

}  // namespace orrery::render
