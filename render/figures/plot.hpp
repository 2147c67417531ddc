// SPDX-License-Identifier: MIT
// A figure of curves: charts that are known before the first frame, and grow in a film.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/canvas/canvas.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_keys.hpp"
#include "render/figure.hpp"
#include "render/style/annotations.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {

/// What the figure itself says comes behind the title of the run.
inline void entitle(std::vector<Chart>& charts, const RunInfo& info) {
  std::string& title = charts.front().title;
  title = title.empty() || info.title.empty() ? info.title + title : info.title + " · " + title;
}

class Plot final : public Figure {
 public:
  /// Charts one above another, with the limits and sizes of their keys; the first has the title of the run besides its
  /// own. Throws ArgumentError.
  Plot(const Canvas& canvas, const RunInfo& info, std::vector<Chart> charts, const Arguments& arguments, Trails trails)
      : info_(info), style_(with_sizes(canvas.style(), arguments)), charts_(std::move(charts)), still_(trails.still) {
    limit(charts_, arguments);
    entitle(charts_, info_);
  }

  void show(const Frame& frame) override { now_ = frame.time; }

  void draw(Drawing& drawing) const override {
    std::optional<ChartTime> moment;
    if (!still_ && now_) moment = ChartTime{*now_, time_stamp(info_, *now_)};
    draw_charts(drawing, style_, charts_, 1, moment);
  }

 private:
  const RunInfo& info_;
  Style style_;
  std::vector<Chart> charts_;
  bool still_;
  std::optional<double> now_;
};

/// A figure whose charts show one moment: that of a film, or the last one.
template <auto charts_at>
class MomentPlot final : public Figure {
 public:
  MomentPlot(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : info_(info), arguments_(arguments), style_(with_sizes(canvas.style(), arguments)), still_(trails.still) {
    (void)charts();  // what is wrong with keys is said now
  }

  void show(const Frame& frame) override {
    if (!still_) now_ = frame.time;
  }

  void draw(Drawing& drawing) const override {
    draw_charts(drawing, style_, charts(), 1,
                now_ ? std::optional(ChartTime{*now_, time_stamp(info_, *now_), true}) : std::nullopt);
  }

 private:
  [[nodiscard]] std::vector<Chart> charts() const {
    std::vector<Chart> charts = charts_at(info_, arguments_, now_);
    limit(charts, arguments_);
    entitle(charts, info_);
    return charts;
  }

  const RunInfo& info_;
  Arguments arguments_;
  Style style_;
  bool still_;
  std::optional<double> now_;  // of a film
};

/// The row of a series that shows a moment: the last one that has come by then.
inline std::size_t row_at(const Series& series, std::optional<double> now) {
  const std::size_t come = now ? grown_to(series.time, *now) : series.time.size();
  return come > 0 ? come - 1 : 0;
}

/// The `make` of a kind whose figures are charts: `charts_of(info, arguments)` are those, at least one.
template <auto charts_of>
std::unique_ptr<Figure> make_plot(const Canvas& canvas, const RunInfo& info, const Arguments& arguments,
                                  Trails trails) {
  return std::make_unique<Plot>(canvas, info, charts_of(info, arguments), arguments, trails);
}

}  // namespace orrery::render
