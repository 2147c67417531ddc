// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/canvas/text.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/marks.hpp"
#include "render/style/annotations.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// What distinguishes a curve from others.
struct CurveStyle {
  std::size_t mark = 0;
  Color color{};
  std::optional<Color> second{};  ///< alternates with the first in a curve of two bodies
};

/// Returns the style of a curve: by its bodies, otherwise by its order.
inline CurveStyle curve_style(Theme theme, const Curve& curve, std::size_t order) {
  const auto& bodies = curve.bodies;
  if (bodies.empty()) return {order, body_color(theme, order)};
  if (bodies.size() == 1) return {bodies[0], body_color(theme, bodies[0])};
  return {order, body_color(theme, bodies[0]), body_color(theme, bodies[1])};
}

/// The legend of charts: a sample of each named curve and its name, then of each run of several.
class ChartLegend {
 public:
  ChartLegend(const Style& style, const std::vector<Chart>& charts) : style_(style), text_(style.tick_text) {
    for (const Chart& chart : charts) {
      for (const Curve& curve : chart.curves) {
        if (curve.name.empty()) continue;
        const auto known = std::ranges::find(entries_, curve.name, &Entry::name);
        if (known == entries_.end()) {
          entries_.push_back({curve.name,
                              {curve.name},
                              curve.stroke,
                              curve_style(style.theme, curve, entries_.size()),
                              is_band(curve),
                              chart.runs.empty() ? curve.run : 0});
        } else {
          known->banded = known->banded || is_band(curve);
          if (known->stroke == Curve::Stroke::band) known->stroke = curve.stroke;
        }
      }
    }
    const std::vector<std::string>& runs = charts.front().runs;
    curves_ = entries_.size();
    for (std::size_t run = 0; run < runs.size(); ++run)
      entries_.push_back({runs[run], {runs[run]}, Curve::Stroke::line, {.color = style.ink}, false, run});
  }

  /// Divides names into lines, so that a column is at most `room` wide, with text that is smaller by `share`.
  void wrap(float room, float share = 1) {
    text_ = std::max(style_.min_text, share * style_.tick_text);
    for (Entry& entry : entries_) entry.lines = wrapped(entry.name, text_, room - beside_sample * text_);
  }

  /// Returns the style by the bodies of a curve, otherwise by the order of names; the `unnamed`-th curve without a name comes
  /// after all names.
  [[nodiscard]] CurveStyle style_of(const Curve& curve, std::size_t unnamed) const {
    if (curve.name.empty()) return curve_style(style_.theme, curve, curves_ + unnamed);
    return std::ranges::find(entries_, curve.name, &Entry::name)->style;
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// Returns whether there are several curves, so that lines need marks.
  [[nodiscard]] bool marked() const { return curves_ > 1; }

  [[nodiscard]] float width(float height) const {
    if (empty()) return 0;
    const std::size_t most = rows(height), needed = (size() + most - 1) / most;
    const auto columns = static_cast<float>(needed);
    return columns * column() + (columns - 1) * text_;
  }
  /// In one column, or in as many as fit into `width`.
  [[nodiscard]] float height() const { return row() * static_cast<float>(size()); }
  [[nodiscard]] float height(float width) const {
    const float columns = std::max(1.F, std::floor((width + text_) / (column() + text_)));
    return row() * std::ceil(static_cast<float>(size()) / columns);
  }
  /// Uses as many columns as needed for a height of `room`.
  void draw(Drawing& drawing, Point top_left, float room) const {
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t across = i / rows(room), down = i % rows(room);
      const float x = top_left.x + static_cast<float>(across) * (column() + text_);
      const float y = top_left.y + (static_cast<float>(down) + 0.5F) * row();
      sample(drawing, i, {x, y});
      const auto& lines = entries_[i].lines;
      float at = y - 0.5F * line_height * text_ * static_cast<float>(lines.size() - 1);
      for (const std::string& line : lines) {
        drawing.text(line, {x + 2.5F * text_, at}, text_, style_.ink, Across::left, Along::middle);
        at += line_height * text_;
      }
    }
  }

 private:
  static constexpr float beside_sample = 2.6F, line_height = 1.2F;  // in heights of the text
  struct Entry {
    std::string name;
    std::vector<std::string> lines;  // of the name
    Curve::Stroke stroke;
    CurveStyle style;
    bool banded;      ///< has a band behind it
    std::size_t run;  ///< whose dashes it has
  };
  [[nodiscard]] float row() const {
    std::size_t most = 1;
    for (const Entry& entry : entries_) most = std::max(most, entry.lines.size());
    return (1.5F + line_height * static_cast<float>(most - 1)) * text_;
  }
  [[nodiscard]] std::size_t rows(float height) const {
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0.F, height / row() + 0.01F)), 1, size());
  }
  [[nodiscard]] float column() const {
    float widest = 0;
    for (const Entry& entry : entries_) widest = std::max(widest, widest_of(entry.lines, text_));
    return widest + beside_sample * text_;
  }
  void sample(Drawing& drawing, std::size_t i, Point left) const {
    const CurveStyle& of = entries_[i].style;
    const Point right{left.x + 2 * text_, left.y}, middle{left.x + text_, left.y};
    const Line line{{left, right}, {of.color}, style_.line > 0 ? style_.line : 1.2F * style_.curve_line};
    using Stroke = Curve::Stroke;
    const Stroke stroke = entries_[i].stroke;
    if (entries_[i].banded) {
      const float half = 0.35F * text_;
      drawing.fill({left.x, left.y - half, right.x, left.y + half}, faded(of.color, 0.35));
    }
    if (stroke == Stroke::dashed) {
      draw_dashed(drawing, line, 4 * line.width, 3 * line.width);
    } else if (stroke != Stroke::marks && stroke != Stroke::band) {
      draw_line_of_run(drawing, line, entries_[i].run);
      if (of.second) drawing.add(Line{{middle, right}, {*of.second}, line.width});
    }
    if (i < curves_ && stroke != Stroke::band && (marked() || stroke == Stroke::marks || stroke == Stroke::both))
      draw_mark(drawing, style_, of.mark, middle, style_.mark > 0 ? style_.mark : 8.5F * style_.unit, of.color);
  }

  Style style_;
  float text_;
  std::vector<Entry> entries_;  // of curves, then of runs
  std::size_t curves_ = 0;
};

}  // namespace orrery::render
