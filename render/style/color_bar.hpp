// SPDX-License-Identifier: MIT
// A bar that says which colour stands for which number.
#pragma once

#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

class ColorBar {
 public:
  /// Upright; `colors` from the bottom to the top. Beyond its ends colours go on unchanged.
  ColorBar(const Style& style, Axis axis, std::vector<Color> colors)
      : style_(style), axis_(std::move(axis)), colors_(std::move(colors)) {}

  /// Bar, numbers and name, where the bar is so high.
  [[nodiscard]] float width(float height) const;
  void draw(Drawing& drawing, Point top_left, float height) const;

 private:
  /// Whether the numbers beside it are powers of ten.
  [[nodiscard]] bool powers() const;
  [[nodiscard]] Ticks ticks(float height) const;
  [[nodiscard]] float bar() const { return 0.95F * style_.tick_text; }
  [[nodiscard]] float numbers(const Ticks& ticks) const;

  Style style_;
  Axis axis_;
  std::vector<Color> colors_;
};

}  // namespace orrery::render
