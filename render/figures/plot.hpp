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
#include "render/figure.hpp"
#include "render/look/furniture.hpp"

namespace orrery::render {

class Plot final : public Figure {
 public:
  /// Charts one above another; the first has the title of the cast besides its own.
  Plot(Canvas& canvas, const Cast& cast, std::vector<Chart> charts, Trails trails)
      : cast_(cast), charts_(std::move(charts)), still_(trails.still) {
    std::string& title = charts_.front().title;  // what the figure itself says comes behind that of the run
    title = title.empty() || cast.title.empty() ? cast.title + title : cast.title + " · " + title;
    canvas.add([this, look = canvas.look()](Drawing& drawing) {
      std::optional<Moment> moment;
      if (!still_ && now_) moment = Moment{*now_, time_stamp(cast_, *now_)};
      draw_charts(drawing, look, charts_, 1, moment);
    });
  }

  void show(const Frame& frame) override { now_ = frame.time; }

 private:
  const Cast& cast_;
  std::vector<Chart> charts_;
  bool still_;
  std::optional<double> now_;
};

/// A figure whose charts show one moment: that of a film, or the last one.
template <auto charts_at>
class MomentPlot final : public Figure {
 public:
  MomentPlot(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails) {
    canvas.add([this, &cast, arguments, still = trails.still, look = canvas.look()](Drawing& drawing) {
      const std::optional<double> now = still ? std::nullopt : now_;
      std::vector<Chart> charts = charts_at(cast, arguments, now);
      charts.front().title = cast.title;
      draw_charts(drawing, look, charts, 1,
                  now ? std::optional(Moment{*now, time_stamp(cast, *now), true}) : std::nullopt);
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

/// The `make` of a kind whose figures are charts: `charts_of(cast, arguments)` are those, at least one.
template <auto charts_of>
std::unique_ptr<Figure> make_plot(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails) {
  return std::make_unique<Plot>(canvas, cast, charts_of(cast, arguments), trails);
}

}  // namespace orrery::render
