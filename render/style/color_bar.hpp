// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// A vertical colour bar with tick labels and a name.
class ColorBar {
 public:
  /// `colors` are those of the limits of the axis and of evenly spaced values between, from the bottom to the top.
  ColorBar(const Style& style, Axis axis, std::vector<Color> colors)
      : style_(style), axis_(std::move(axis)), colors_(std::move(colors)) {}

  /// Returns the width of bar, labels and name if the bar has this height.
  [[nodiscard]] float width(float height) const;
  void draw(Drawing& drawing, Point top_left, float height) const;
  /// Returns a field of cells in the colours of `values`, [rows × columns] from the lower left, stretched over `box`. Values
  /// beyond the limits get the colour of the nearer one; NaN is transparent.
  template <class Number>
  [[nodiscard]] Picture cells(const Box& box, std::size_t columns, const std::vector<Number>& values) const {
    const std::size_t rows = values.size() / std::max<std::size_t>(columns, 1);
    Picture picture{box, {static_cast<int>(columns), static_cast<int>(rows)}, {}, true};
    picture.rgba.resize(4 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      const double share = (static_cast<double>(values[i]) - axis_.limits.low) / axis_.limits.length();
      const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(colors_.size() - 1);
      const Color color = colors_[static_cast<std::size_t>(place + 0.5)];
      std::uint8_t* to = &picture.rgba[4 * ((rows - 1 - i / columns) * columns + i % columns)];
      to[0] = color.red, to[1] = color.green, to[2] = color.blue, to[3] = color.alpha;
    }
    return picture;
  }

 private:
  /// Returns whether the labels are powers of ten.
  [[nodiscard]] bool powers() const;
  [[nodiscard]] Ticks ticks(float height) const;
  [[nodiscard]] float bar() const { return 0.95F * style_.tick_text; }

  Style style_;
  Axis axis_;
  std::vector<Color> colors_;
};

}  // namespace orrery::render
