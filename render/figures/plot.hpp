// SPDX-License-Identifier: MIT
// Figures that are charts of series.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "render/canvas/canvas.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_keys.hpp"
#include "render/figure.hpp"
#include "render/style/annotations.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {

/// A column of charts, at least one, with the title of the run before that of the first chart. They are either
/// `charts_of(info, arguments)`, whose curves grow in a film, or `charts_of(info, arguments, now)`, which show one moment:
/// `now` in a film, the last one in a still.
template <auto charts_of>
class Plot final : public Figure {
  static constexpr bool of_moment =
      std::is_invocable_v<decltype(charts_of), const RunInfo&, const Arguments&, std::optional<double>>;

 public:
  /// Throws ArgumentError.
  Plot(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : info_(info), arguments_(arguments), style_(with_sizes(canvas.style(), arguments)), still_(trails.still) {
    update();
  }

  void show(const Frame& frame) override {
    if (still_) return;
    now_ = frame.time;
    if (of_moment) update();
  }

  void prepare(const Drawing& blank) override {
    using enum ChartSheet::Use;
    if (!sheet_)
      sheet_.emplace(style_, charts_, blank.size, !now_ ? still : of_moment ? moment : growth, stamp().longest);
    if (now_ && !of_moment) sheet_->grow(*now_);
  }

  void draw(Drawing& drawing) const override {
    now_ && !of_moment ? sheet_->draw_grown(drawing, stamp()) : sheet_->draw(drawing, stamp());
  }

  [[nodiscard]] std::vector<const Chart*> charts() const override {
    std::vector<const Chart*> all;
    for (const Chart& chart : charts_) all.push_back(&chart);
    return all;
  }

  [[nodiscard]] std::string remark() const override {
    for (const Series& series : info_.series) {
      if (!series.unseen.empty()) return series.unseen;
    }
    return "";
  }

 private:
  [[nodiscard]] Stamp stamp() const { return now_ ? time_stamp(info_, *now_) : Stamp{}; }
  void update() {
    sheet_.reset();
    if constexpr (of_moment) {
      charts_ = charts_of(info_, arguments_, now_);
    } else {
      charts_ = charts_of(info_, arguments_);
    }
    label(charts_, arguments_);
    limit(charts_, arguments_);
    // What the chart says of its curves must be read in a part without a title, too.
    std::string &title = charts_.front().title, &remark_below = charts_.front().remark;
    remark_below = style_.titled ? remark() : joined(title, remark());
    title = joined(info_.title, style_.titled ? title : "");
  }

  const RunInfo& info_;
  Arguments arguments_;
  Style style_;
  std::vector<Chart> charts_;
  std::optional<ChartSheet> sheet_;  // laid out at the first picture of a film
  bool still_;
  std::optional<double> now_;  // in a film
};

template <auto charts_of>
constexpr FigureKind plot_kind(std::string_view name, std::string_view meaning,
                               std::span<const Parameter> parameters = {}) {
  return {.name = name, .meaning = meaning, .parameters = parameters, .make = make<Plot<charts_of>>};
}

/// Returns a chart of the series of a run over time: a curve of list `list` of each.
inline Chart chart_over_time(const RunInfo& info, ChartAxis y, std::string empty = Chart{}.empty,
                             std::size_t list = 0) {
  Chart chart{.x = time_axis(info), .y = std::move(y), .empty = std::move(empty)};
  for (const Series& s : info.series)
    chart.curves.push_back({.name = s.name, .x = s.time, .y = s.values[list], .time = s.time, .bodies = s.bodies});
  return chart;
}

/// Makes the x axis of a chart cover all times of series, including those at which nothing can be drawn.
inline void cover_times(Chart& chart, std::span<const Series> all) {
  ValueRange range;
  for (const Series& series : all) {
    for (const double time : series.time) range.add(time);
  }
  if (!range.empty()) chart.x.limits = Interval{range.low, range.high};
}

/// Returns the row of a series that shows the moment `now`: the last one up to then.
inline std::size_t row_at(const Series& series, std::optional<double> now) {
  const std::size_t rows = now ? grown_to(series.time, *now) : series.time.size();
  return rows > 0 ? rows - 1 : 0;
}

}  // namespace orrery::render
