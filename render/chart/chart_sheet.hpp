// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/chart/chart_panel.hpp"
#include "render/style/annotations.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// A legend with more names than this is beside the panels rather than in one of them.
inline constexpr std::size_t few_names = 5;

/// Removes tick labels and names if charts are hardly higher than a line of text.
inline Style style_of_charts(Style style, Size size, std::size_t charts) {
  style.numbered = style.numbered && static_cast<float>(size.height) > 3 * style.tick_text * static_cast<float>(charts);
  style.named = style.named && style.numbered;
  return style;
}

/// Charts in a column, at least one, that share their x axis and one legend, laid out for a canvas.
class ChartSheet {
 public:
  enum class Use {
    still,   ///< curves are complete
    growth,  ///< a film in which curves grow
    moment   ///< a picture of a film whose curves move; the legend is outside, since no corner stays free
  };
  /// `charts` must outlive it. `longest`: of the stamps that will be drawn.
  ChartSheet(const Style& style, const std::vector<Chart>& charts, Size size, Use use = Use::still,
             const std::string& longest = "")
      : style_(style_of_charts(style, size, charts.size())),
        charts_(charts),
        x_(x_limits(charts)),
        titled_(use != Use::still || !charts.front().title.empty() || !charts.front().remark.empty()),
        size_(size),
        heading_(style_, size, charts.front().title, charts.front().remark, longest),
        legend_(style_, charts) {
    layout(0);
    if (!without_legend()) place_legend(use);
    chart_panels_.reserve(charts.size());
    for (std::size_t i = 0; i < charts.size(); ++i)
      chart_panels_.emplace_back(style_, panels_[i], charts[i], legend_, inside_);
  }
  ChartSheet(const ChartSheet&) = delete;
  ChartSheet& operator=(const ChartSheet&) = delete;

  /// Draws curves up to the time of grow(), or complete ones before any. The stamp is beside the title.
  void draw(Drawing& drawing, const Stamp& stamp = {}) const {
    if (layer_) return draw_grown(drawing, stamp);
    chart_panels_.front().draw(drawing);
    draw_title(drawing, stamp);
    for (const ChartPanel& panel : std::span(chart_panels_).subspan(1)) panel.draw(drawing);
    draw_legend(drawing);
  }

  /// Extends the curves up to a time, which must not be before that of the last call. O(points since then).
  void grow(double now) {
    if (!layer_) {
      layer_ = std::make_shared<Layer>(Drawing{size_, style_.background, 1, {}});
      for (const ChartPanel& panel : chart_panels_) panel.draw_start(layer_->content());
      draw_legend(layer_->content());
    }
    for (ChartPanel& panel : chart_panels_) panel.grow(layer_->content(), now);
    now_ = now;
  }

 private:
  void draw_grown(Drawing& drawing, const Stamp& stamp) const {
    drawing.add(Layered{layer_});
    for (const ChartPanel& panel : chart_panels_) panel.draw_rest(drawing, now_);
    draw_title(drawing, stamp);
  }

  [[nodiscard]] bool without_legend() const { return legend_.empty() || !style_.legended; }
  /// Finds a place in one of the panels, beneath them, or beside them.
  void place_legend(Use use) {
    const auto width = static_cast<float>(size_.width), height = static_cast<float>(size_.height);
    const float usable = 0.9F * width;
    legend_.wrap(usable);
    if (legend_.size() <= few_names && use != Use::moment) inside_ = free_corner();
    if (inside_) return;
    float beside = legend_.width(0.9F * height) + style_.tick_text;
    if (beside <= 0.3F * width) return layout(beside);
    // Beneath in narrow pictures, as for a column of a journal, rather in smaller letters than cut off.
    constexpr float most = 0.45F;
    const auto fits_beneath = [&] { return (beneath_ = legend_.height(usable)) <= most * height; };
    if (wrapped_to_fit(usable, fits_beneath)) return layout(0);
    // Beside in low pictures, with names in several lines.
    beneath_ = 0;
    const auto fits_beside = [&] { return (beside = legend_.width(0.9F * height) + style_.tick_text) <= most * width; };
    (void)wrapped_to_fit(0.35F * width, fits_beside);
    layout(std::min(beside, 0.7F * width));
  }

  /// Wraps the names of the legend in letters as large as `fits()` allows of some sizes. Returns whether one of them fits.
  template <class Fits>
  [[nodiscard]] bool wrapped_to_fit(float room, const Fits& fits) {
    return std::ranges::any_of(std::initializer_list<float>{1.F, 0.85F, 0.7F}, [&](float share) {
      legend_.wrap(room, share);
      return fits();
    });
  }

  void draw_legend(Drawing& drawing) const {
    if (without_legend()) return;
    const Box& top = panels_.front().box();
    if (inside_) {
      drawing.fill(*inside_, style_.background);
      drawing.outline(*inside_, style_.grid, style_.grid_line);
      legend_.draw(drawing, {inside_->left + pad(), inside_->top + pad()}, inside_->height());
    } else if (beneath_ > 0) {
      const float right = static_cast<float>(size_.width) - pad(), width = legend_.width(beneath_);
      legend_.draw(drawing, {std::clamp(right - width, pad(), top.left), bottom_ + pad()}, beneath_);
    } else {
      legend_.draw(drawing, {beside_, top.top}, static_cast<float>(size_.height) - top.top);
    }
  }

  [[nodiscard]] float pad() const { return 0.5F * style_.tick_text; }

  /// Returns the space above a chart: for title and stamp, or a gap.
  [[nodiscard]] float above(std::size_t chart) const {
    if (chart > 0) return style_.tick_text;
    return titled_ ? heading_.height() : 0.5F * style_.tick_text;
  }

  void layout(float beside) {
    const float edge = 0.7F * style_.tick_text;
    Margins around{5 * style_.tick_text, 0, edge, 0};
    std::vector<float> below(charts_.size(), 2 * style_.tick_text);
    float numbers = 0;
    name_size_ = style_.label_text;
    for (int pass = 0; pass < 4; ++pass) {
      float height = static_cast<float>(size_.height) - 2 * edge - (beneath_ > 0 ? beneath_ + pad() : 0);
      for (std::size_t i = 0; i < charts_.size(); ++i) height -= above(i) + below[i];
      height = std::max(16.F, height / static_cast<float>(charts_.size()));
      const float room = static_cast<float>(size_.width) - 2 * edge - beside;
      const float width = std::max(16.F, room - (around.left + around.right)), left = edge + around.left;
      beside_ = left + (width + around.right + edge) + 0.3F * style_.tick_text;
      panels_.clear();
      bottom_ = edge;
      for (std::size_t i = 0; i < charts_.size(); ++i) {
        const float top = bottom_ + above(i);
        panels_.push_back(panel(i, {left, top, left + width, top + height}, numbers));
        bottom_ = top + (height + below[i]);
        below[i] = panels_.back().margins().bottom;
      }
      // Margins only grow from the second pass on, since ticks depend on them in turn.
      if (pass == 0) around = {};
      for (const Panel& panel : panels_) {
        const Margins m = panel.margins();
        around = {std::max(around.left, m.left), 0, std::max(around.right, m.right), 0};
        numbers = std::max(numbers, panel.numbers());
        name_size_ = std::min(name_size_, panel.name_size());
      }
    }
  }

  [[nodiscard]] Panel panel(std::size_t i, Box box, float numbers) const {
    Axis x = axis_of(charts_[i].x, x_), y = axis_of(charts_[i].y, y_limits(charts_[i], x_));
    x.written = i + 1 == charts_.size();
    y.room = numbers;
    y.name_size = name_size_;
    return {style_, box, x, y};
  }

  /// Returns the box of the legend in the first corner of a panel that no curve crosses.
  [[nodiscard]] std::optional<Box> free_corner() const {
    const float width = legend_.width(legend_.height() + 1) + 2 * pad(), height = legend_.height() + 2 * pad();
    const float gap = 0.7F * style_.tick_text;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const Box& box = panels_[i].box();
      if (width > 0.5F * box.width() || height > 0.6F * box.height()) continue;
      const float left = box.left + gap, right = box.right - gap - width;
      const float top = box.top + gap, bottom = box.bottom - gap - height;
      for (const Point at : {Point{right, top}, Point{left, top}, Point{right, bottom}, Point{left, bottom}}) {
        const Box corner{at.x, at.y, at.x + width, at.y + height};
        if (touching(panels_[i], charts_[i],
                     {corner.left - gap, corner.top - gap, corner.right + gap, corner.bottom + gap}) == 0)
          return corner;
      }
    }
    return std::nullopt;
  }

  void draw_title(Drawing& drawing, const Stamp& stamp) const {
    if (titled_) heading_.draw(drawing, panels_.front().box(), stamp);
  }

  Style style_;
  const std::vector<Chart>& charts_;
  Interval x_;
  bool titled_;  ///< has a title or stamps
  Size size_;
  Heading heading_;
  ChartLegend legend_;
  std::vector<Panel> panels_;
  std::vector<ChartPanel> chart_panels_;
  std::shared_ptr<Layer> layer_;  ///< what stays in a film
  double now_ = 0;
  std::optional<Box> inside_;  ///< the legend in a panel
  float name_size_ = 0;        ///< of the names of vertical axes, the same for all
  float beside_ = 0, beneath_ = 0,
        bottom_ = 0;  ///< legend: its left edge beside panels, its height below, their bottom
};

/// Draws the charts of a still.
inline void draw_charts(Drawing& drawing, const Style& style, const std::vector<Chart>& charts) {
  ChartSheet(style, charts, drawing.size).draw(drawing);
}

}  // namespace orrery::render
