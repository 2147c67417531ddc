// SPDX-License-Identifier: MIT
// The legend of charts: a sample of each curve and its name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"

namespace orrery::render {

/// What tells a curve from others.
struct CurveStyle {
  std::size_t mark = 0;
  Color color{};
  std::optional<Color> second{};  ///< of a curve between two bodies, by turns with the first
};

/// A line in the colours of a style.
void draw_in_style(Drawing& drawing, const Line& line, const CurveStyle& style);

class ChartLegend {
 public:
  /// The names of all charts, each once, in their order; `room` is the width of the canvas.
  ChartLegend(const Style& style, const std::vector<Chart>& charts, float room);

  /// That of the body whose curve it is, else by order; curves without a name come after all names, each its own.
  [[nodiscard]] CurveStyle style_of(const Curve& curve, std::size_t unnamed) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// There are several curves to tell apart, so that lines bear marks.
  [[nodiscard]] bool marked() const { return entries_.size() > 1; }

  [[nodiscard]] float width(float height) const;
  /// In one column, or in as many as go into `width`.
  [[nodiscard]] float height() const;
  [[nodiscard]] float height(float width) const;
  /// In as many columns as `room` below `top_left` asks for.
  void draw(Drawing& drawing, Point top_left, float room) const;

 private:
  struct Entry {
    std::string name, words;  // as it is, and as there is room for it
    Curve::Stroke stroke;
    CurveStyle style;
    bool banded;  ///< with a band behind it
  };
  [[nodiscard]] float row() const { return 1.5F * style_.tick_text; }
  [[nodiscard]] std::size_t rows(float height) const;
  [[nodiscard]] float column() const;
  void sample(Drawing& drawing, std::size_t i, Point left) const;

  Style style_;
  std::vector<Entry> entries_;
};

}  // namespace orrery::render
