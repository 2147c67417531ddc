// SPDX-License-Identifier: MIT
#include "render/chart/chart.hpp"

#include "render/canvas/text.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/chart/chart_panel.hpp"
#include "render/view/panel.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

/// A legend with more names than this is beside the panels rather than in one of them.
constexpr std::size_t few_names = 5;

/// Returns a style with smaller text for several columns.
Style smaller(const Style& style, int columns) {
  return columns < 2 ? style : scaled(style, std::pow(static_cast<float>(columns), -0.3F));
}

/// Removes tick labels and names if rows are hardly higher than a line of text.
Style style_of_rows(Style style, Size size, std::size_t rows) {
  style.numbered = style.numbered && static_cast<float>(size.height) > 3 * style.tick_text * static_cast<float>(rows);
  style.named = style.named && style.numbered;
  return style;
}

}  // namespace

class ChartSheet::Grid {
 public:
  Grid(const Style& style, const std::vector<Chart>& charts, int columns, Size size, Use use)
      : style_(smaller(style, columns)),
        charts_(charts),
        stamped_(use != Use::still),
        size_(size),
        columns_(std::clamp<std::size_t>(static_cast<std::size_t>(std::max(columns, 1)), 1, charts.size())),
        rows_((charts.size() + columns_ - 1) / columns_),
        legend_(style_, charts, static_cast<float>(size.width)) {
    style_ = style_of_rows(style_, size, rows_);
    layout(0);
    if (!without_legend()) place_legend(use);
    chart_panels_.reserve(charts.size());
    for (std::size_t i = 0; i < charts.size(); ++i)
      chart_panels_.emplace_back(style_, panels_[i], charts[i], legend_, inside_);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  void draw(Drawing& drawing, const Stamp& stamp) const {
    for (std::size_t i = 0; i < charts_.size(); ++i) {
      chart_panels_[i].draw(drawing);
      draw_title(drawing, i, i == 0 ? stamp : Stamp{});
    }
    draw_legend(drawing);
  }

  void grow(double now) {
    if (!layer_) {
      layer_ = std::make_shared<Layer>(Drawing{size_, style_.background, 1, {}});
      for (const ChartPanel& panel : chart_panels_) panel.draw_start(layer_->content());
      draw_legend(layer_->content());
    }
    for (ChartPanel& panel : chart_panels_) panel.grow(layer_->content(), now);
    now_ = now;
  }

  void draw_grown(Drawing& drawing, const Stamp& stamp) const {
    drawing.add(Layered{layer_});
    for (std::size_t i = 0; i < charts_.size(); ++i) {
      chart_panels_[i].draw_rest(drawing, now_);
      draw_title(drawing, i, i == 0 ? stamp : Stamp{});
    }
  }

 private:
  [[nodiscard]] bool without_legend() const { return legend_.empty() || !style_.legended; }
  /// Finds a place in one of the panels, beneath them, or beside them.
  void place_legend(Use use) {
    if (legend_.size() <= few_names && use != Use::moment) inside_ = free_corner();
    if (inside_) return;
    const auto width = static_cast<float>(size_.width), height = static_cast<float>(size_.height);
    const float beside = legend_.width(0.9F * height) + style_.tick_text;
    beneath_ =
        beside > 0.3F * width ? legend_.height(0.9F * width) : 0;  // narrow pictures, as for a column of a journal
    if (beneath_ > 0.3F * height) beneath_ = 0;
    layout(beneath_ > 0 ? 0 : beside);
  }

  void draw_legend(Drawing& drawing) const {
    if (without_legend()) return;
    if (inside_) {
      drawing.fill(*inside_, style_.background);
      drawing.outline(*inside_, style_.grid, style_.grid_line);
      legend_.draw(drawing, {inside_->left + pad(), inside_->top + pad()}, inside_->height());
    } else if (beneath_ > 0) {
      legend_.draw(drawing, {panels_.front().box().left, bottom_ + pad()}, beneath_);
    } else {
      const Box& box = panels_[columns_ - 1].box();
      legend_.draw(drawing, {beside_, box.top}, static_cast<float>(size_.height) - box.top);
    }
  }

  [[nodiscard]] float pad() const { return 0.5F * style_.tick_text; }
  /// Returns whether a chart shares the x axis of the chart above it.
  [[nodiscard]] bool continues(std::size_t i) const { return i >= columns_ && charts_[i].title.empty(); }
  [[nodiscard]] bool continued(std::size_t i) const { return i + columns_ < charts_.size() && continues(i + columns_); }

  [[nodiscard]] Interval shared_x(std::size_t i) const {
    while (continues(i)) i -= columns_;
    std::vector<const Chart*> stack{&charts_[i]};
    for (; continued(i); i += columns_) stack.push_back(&charts_[i + columns_]);
    return x_limits(stack);
  }

  /// Returns the space above a row: for a title if one of its charts has one, otherwise a gap.
  [[nodiscard]] float above(std::size_t row) const {
    if (row == 0 && stamped_ && columns_ == 1) return heading_height(style_);
    for (std::size_t i = row * columns_; i < std::min(charts_.size(), (row + 1) * columns_); ++i) {
      if (!charts_[i].title.empty()) return columns_ == 1 ? heading_height(style_) : 1.7F * style_.label_text;
    }
    return row == 0 ? 0.5F * style_.tick_text : style_.tick_text;
  }

  void layout(float beside) {
    const float edge = 0.7F * style_.tick_text;
    std::vector<Margins> around(columns_, {5 * style_.tick_text, 0, edge, 0});
    std::vector<float> below(rows_, 2 * style_.tick_text), numbers(columns_, 0);
    name_size_ = style_.label_text;
    for (int pass = 0; pass < 4; ++pass) {
      float width = static_cast<float>(size_.width) - 2 * edge - beside - edge * static_cast<float>(columns_ - 1);
      float height = static_cast<float>(size_.height) - 2 * edge - (beneath_ > 0 ? beneath_ + pad() : 0);
      for (const Margins& m : around) width -= m.left + m.right;
      for (std::size_t row = 0; row < rows_; ++row) height -= above(row) + below[row];
      width = std::max(16.F, width / static_cast<float>(columns_));
      height = std::max(16.F, height / static_cast<float>(rows_));
      const Point spare = tightened(width, height);
      panels_.clear();
      float top = edge + spare.y / 2, bottom_margin = 0;
      for (std::size_t row = 0; row < rows_; ++row) {
        top += above(row);
        float left = edge + spare.x / 2;
        bottom_margin = 0;
        for (std::size_t column = 0; column < columns_; ++column) {
          left += around[column].left;
          const std::size_t i = row * columns_ + column;
          if (i < charts_.size()) {
            panels_.push_back(panel(i, {left, top, left + width, top + height}, numbers[column]));
            bottom_margin = std::max(bottom_margin, panels_.back().margins().bottom);
          }
          left += width + around[column].right + edge;
        }
        beside_ = left + 0.3F * style_.tick_text;
        top += height + below[row];
        below[row] = bottom_margin;
      }
      bottom_ = top;
      // Margins only grow from the second pass on, since ticks depend on them in turn.
      if (pass == 0) around.assign(columns_, {});
      for (std::size_t i = 0; i < panels_.size(); ++i) {
        const std::size_t column = i % columns_;
        const Margins m = panels_[i].margins();
        around[column] = {std::max(around[column].left, m.left), 0, std::max(around[column].right, m.right), 0};
        numbers[column] = std::max(numbers[column], panels_[i].numbers());
        name_size_ = std::min(name_size_, panels_[i].name_size());
      }
    }
  }

  /// If all charts have the same scale on both axes, reduces the size of a box to their mean ratio. Returns the space saved.
  Point tightened(float& width, float& height) const {
    if (!std::ranges::all_of(charts_, &Chart::equal)) return {};
    double sum = 0;
    for (std::size_t i = 0; i < charts_.size(); ++i) {
      const Interval x = shared_x(i);
      sum += std::log(x.length() / y_limits(charts_[i], x).length());
    }
    const auto ratio = static_cast<float>(std::clamp(std::exp(sum / static_cast<double>(charts_.size())), 0.5, 2.0));
    const float wide = std::min(width, height * ratio), high = std::min(height, width / ratio);
    const Point spare{static_cast<float>(columns_) * (width - wide), static_cast<float>(rows_) * (height - high)};
    width = wide;
    height = high;
    return spare;
  }

  [[nodiscard]] Panel panel(std::size_t i, Box box, float numbers) const {
    const Chart& chart = charts_[i];
    Axis x = axis_of(chart.x, shared_x(i)), y = axis_of(chart.y, y_limits(chart, x.limits));
    if (chart.equal) equalise(x.limits, y.limits, static_cast<double>(box.width() / box.height()));
    x.written = !continued(i);
    y.room = chart.equal ? 0 : numbers;
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

  void draw_title(Drawing& drawing, std::size_t i, const Stamp& stamp) const {
    const Box& box = panels_[i].box();
    const std::string& title = charts_[i].title;
    if (columns_ == 1) {
      if (!title.empty() || !stamp.words.empty()) heading(drawing, style_, box, title, stamp);
      return;
    }
    if (title.empty() || !style_.titled) return;
    const float whole = extents_of(title, style_.label_text, true).width;
    const float size =
        std::max(style_.least_text, style_.label_text * std::clamp(box.width() / std::max(whole, 1.F), 0.62F, 1.F));
    drawing.text(fitted(title, size, true, box.width()), {box.left, box.top - 0.5F * style_.label_text}, size,
                 style_.ink, Across::left, Along::baseline, true);
  }

  Style style_;
  const std::vector<Chart>& charts_;
  bool stamped_;
  Size size_;
  std::size_t columns_, rows_;
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

ChartSheet::ChartSheet(const Style& style, const std::vector<Chart>& charts, int columns, Size size, Use use)
    : size_(size), grid_(charts.empty() ? nullptr : std::make_unique<Grid>(style, charts, columns, size, use)) {}

ChartSheet::~ChartSheet() = default;

void ChartSheet::draw(Drawing& drawing, const Stamp& stamp) const {
  if (grid_) grid_->draw(drawing, stamp);
}

void ChartSheet::grow(double now) {
  if (grid_) grid_->grow(now);
}

void ChartSheet::draw_grown(Drawing& drawing, const Stamp& stamp) const {
  if (grid_) grid_->draw_grown(drawing, stamp);
}

ChartAxis time_axis(const RunInfo& info) {
  return {.name = "t", .unit = info.time_unit, .unit_length = info.time_unit_length};
}

}  // namespace orrery::render
