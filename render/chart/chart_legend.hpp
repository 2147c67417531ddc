// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// What distinguishes a curve from others.
struct CurveStyle {
  std::size_t mark = 0;
  Color color{};
  std::optional<Color> second{};  ///< alternates with the first in a curve of two bodies
};

/// Draws a line in the colours of a style.
void draw_in_style(Drawing& drawing, const Line& line, const CurveStyle& style);

/// The legend of charts: a sample of each named curve and its name.
class ChartLegend {
 public:
  /// `room`: width of the canvas, in pixels.
  ChartLegend(const Style& style, const std::vector<Chart>& charts, float room);

  /// Returns the style by the bodies of a curve, otherwise by the order of names; the `unnamed`-th curve without a name comes
  /// after all names.
  [[nodiscard]] CurveStyle style_of(const Curve& curve, std::size_t unnamed) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// Returns whether there are several curves, so that lines need marks.
  [[nodiscard]] bool marked() const { return entries_.size() > 1; }

  [[nodiscard]] float width(float height) const;
  /// In one column, or in as many as fit into `width`.
  [[nodiscard]] float height() const;
  [[nodiscard]] float height(float width) const;
  /// Uses as many columns as needed for a height of `room`.
  void draw(Drawing& drawing, Point top_left, float room) const;

 private:
  struct Entry {
    std::string name, words;  // the latter shortened to fit
    Curve::Stroke stroke;
    CurveStyle style;
    bool banded;  ///< has a band behind it
  };
  [[nodiscard]] float row() const { return 1.5F * style_.tick_text; }
  [[nodiscard]] std::size_t rows(float height) const;
  [[nodiscard]] float column() const;
  void sample(Drawing& drawing, std::size_t i, Point left) const;

  Style style_;
  std::vector<Entry> entries_;
};

}  // namespace orrery::render
