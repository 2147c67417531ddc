// SPDX-License-Identifier: MIT
// A framed plot with two axes: grid, ticks, labels, and the way from numbers to pixels.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/ticks.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

struct Axis {
  Interval limits;  ///< of a logarithmic axis: exponents of ten
  std::string name, unit;
  bool logarithmic = false;
  double unit_length = 1;  ///< numbers are divided by it
  float room = 0;          ///< that a number takes at least, so that names beside numbers align, and frames stay
  double step = 0;         ///< between ticks, at least
  double largest = 0;      ///< number of all axes that share this one's scale
  float name_size = 0;     ///< of an upright name at most, if others are as small
  bool written = true;     ///< numbers and name; false where the panel beside has them
  bool whole = false;      ///< it counts things: no ticks between whole numbers
  bool within = false;     ///< no number stands out far beyond the frame, if two are left: another panel is next to it
};

/// The room around a panel's box that its labels take.
struct Margins {
  float left = 0, top = 0, right = 0, bottom = 0;
};

class Panel {
 public:
  /// `box` is the frame, in pixels; labels go around it.
  Panel(const Style& style, Box box, Axis horizontal, Axis vertical);

  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] const Axis& horizontal() const { return horizontal_; }
  [[nodiscard]] const Axis& vertical() const { return vertical_; }
  [[nodiscard]] Point at(double x, double y) const;
  [[nodiscard]] Margins margins() const;
  /// How far the horizontal axis' numbers stand out beyond the box, on the left and on the right.
  [[nodiscard]] std::array<float, 2> overhang() const;
  /// The width of the upright axis' numbers.
  [[nodiscard]] float numbers() const;
  /// Of the upright axis' name, which shrinks where it is longer than the box.
  [[nodiscard]] float name_size() const;
  /// The wider of the two axes' steps between ticks; 0 where neither has two ticks.
  [[nodiscard]] double step() const;

  /// Ground and grid, and cuts what follows to the box.
  void open(Drawing& drawing) const;
  /// Ends the cut; frame, ticks, numbers and names.
  void close(Drawing& drawing) const;

 private:
  /// Whether there is room for these numbers; the power of ten of some stands in the axis' name.
  [[nodiscard]] bool numbered(const Ticks& ticks) const;
  [[nodiscard]] float name_offset() const;
  /// Of the size of labels, what words along the upright axis can have.
  [[nodiscard]] float name_share(const std::string& words) const;
  /// The upright axis' name; its unit goes below it where both are too long for the box.
  [[nodiscard]] std::vector<std::string> name_lines() const;
  void mark_horizontal(Drawing& drawing, double x, float length) const;
  void mark_vertical(Drawing& drawing, double y, float length) const;
  void write_horizontal(Drawing& drawing) const;
  void write_vertical(Drawing& drawing) const;

  Style style_;
  Box box_;
  Axis horizontal_, vertical_;
  Ticks x_ticks_, y_ticks_;
};

}  // namespace orrery::render
