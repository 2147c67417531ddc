// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// Returns how many curves, complete as at the end of a film, touch this box.
std::ptrdiff_t touching(const Panel& panel, const Chart& chart, const Box& box);

/// One panel of a chart without its title. All arguments must outlive it.
class ChartPanel {
 public:
  /// Notes of curves avoid the box `taken`.
  ChartPanel(const Style& style, const Panel& panel, const Chart& chart, const ChartLegend& legend,
             const std::optional<Box>& taken);

  /// Draws all of it, for a still.
  void draw(Drawing& drawing) const;

  /// The three parts of a picture of a film, in painting order. The first stays the same, the second only grows: it consists of
  /// the segments of curves that are complete at `now`, which are cut at fixed points, so that a picture does not depend on
  /// where a film began. The cost of the third does not depend on the number of points that lines have.
  void draw_start(Drawing& drawing) const;
  void grow(Drawing& drawing, double now);
  void draw_rest(Drawing& drawing, double now) const;

 private:
  /// A curve in pixels.
  struct PlottedCurve {
    const Curve* curve = nullptr;
    CurveStyle style{};
    std::vector<Point> points{};       // not finite in gaps
    std::vector<std::size_t> marks{};  // at these points
    float mark = 0;                    // their radius
    float width = 1;                   // of the line
    std::size_t bucket = 1;            // points of which only the extremes are drawn
    std::size_t drawn = 0;             // grow() has drawn the line up to this point
  };
  /// A part of a growing line.
  struct Segment {
    double order = 0;  // segments are drawn in this order
    std::size_t curve = 0, from = 0, to = 0;
    std::size_t next = 0;  // where the next segment begins, which overlaps it
  };

  void add(const Curve& curve, const CurveStyle& style);
  /// Divides a line that grows into segments.
  void cut(std::size_t index);
  void draw_zero(Drawing& drawing) const;
  /// Draws the points of a line from `from` to `to` - 1, or a whole band up to there.
  void draw_curve(Drawing& drawing, const PlottedCurve& plotted, std::size_t from, std::size_t to) const;
  void draw_line(Drawing& drawing, const PlottedCurve& plotted, std::size_t from, std::size_t to) const;
  void draw_marks(Drawing& drawing, std::optional<double> now) const;
  void draw_words(Drawing& drawing) const;
  [[nodiscard]] bool is_sparsely_marked(const Curve& curve) const;
  /// Returns whether a curve is one dot: a single moment, or a body at rest.
  [[nodiscard]] bool stays(std::span<const Point> points) const;

  const Style& style_;
  const Panel& panel_;
  const Chart& chart_;
  const ChartLegend& legend_;
  bool is_empty_;
  std::vector<PlottedCurve> curves_;  // in painting order: guides, bands, lines
  Drawing notes_{};
  bool has_layer_ = false;  // pictures of a film share what does not change
  std::vector<Segment> segments_;
  std::size_t next_ = 0;  // the first segment that has not been drawn
};

}  // namespace orrery::render
