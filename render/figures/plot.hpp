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
  Plot(Canvas& canvas, const RunInfo& info, std::vector<Chart> charts, const Arguments& arguments, Trails trails)
      : info_(info), charts_(std::move(charts)), still_(trails.still) {
    limit(charts_, arguments);
    entitle(charts_, info);
    canvas.add([this, style = with_sizes(canvas.style(), arguments)](Drawing& drawing) {
      std::optional<Moment> moment;
      if (!still_ && now_) moment = Moment{*now_, time_stamp(info_, *now_)};
      draw_charts(drawing, style, charts_, 1, moment);
    });
  }

  void show(const Frame& frame) override { now_ = frame.time; }

 private:
  const RunInfo& info_;
  std::vector<Chart> charts_;
  bool still_;
  std::optional<double> now_;
};

/// A figure whose charts show one moment: that of a film, or the last one.
template <auto charts_at>
class MomentPlot final : public Figure {
 public:
  MomentPlot(Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails) {
    const auto charts_of = [&info, arguments](std::optional<double> now) {
      std::vector<Chart> charts = charts_at(info, arguments, now);
      limit(charts, arguments);
      entitle(charts, info);
      return charts;
    };
    (void)charts_of({});  // what is wrong with keys is said now
    canvas.add([this, &info, charts_of, still = trails.still,
                style = with_sizes(canvas.style(), arguments)](Drawing& drawing) {
      const std::optional<double> now = still ? std::nullopt : now_;
      const std::vector<Chart> charts = charts_of(now);
      draw_charts(drawing, style, charts, 1,
                  now ? std::optional(Moment{*now, time_stamp(info, *now), true}) : std::nullopt);
    });
  }

  void show(const Frame& frame) override { now_ = frame.time; }

 private:
  std::optional<double> now_;
};

/// The row of a series that shows a moment: the last one that has come by then.
inline std::size_t row_at(const Series& series, std::optional<double> now) {
  const std::size_t come = now ? grown_to(series.time, *now) : series.time.size();
  return come > 0 ? come - 1 : 0;
}

/// The `make` of a kind whose figures are charts: `charts_of(info, arguments)` are those, at least one.
template <auto charts_of>
std::unique_ptr<Figure> make_plot(Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails) {
  return std::make_unique<Plot>(canvas, info, charts_of(info, arguments), arguments, trails);
}

}  // namespace orrery::render
