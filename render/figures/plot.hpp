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
#include "render/look/furniture.hpp"
#include "render/look/sizes.hpp"

namespace orrery::render {

/// What the figure itself says comes behind the title of the run.
inline void entitle(std::vector<Chart>& charts, const Cast& cast) {
  std::string& title = charts.front().title;
  title = title.empty() || cast.title.empty() ? cast.title + title : cast.title + " · " + title;
}

class Plot final : public Figure {
 public:
  /// Charts one above another, with the limits and sizes of their keys; the first has the title of the cast besides its
  /// own. Throws ArgumentError.
  Plot(Canvas& canvas, const Cast& cast, std::vector<Chart> charts, const Arguments& arguments, Trails trails)
      : cast_(cast), charts_(std::move(charts)), still_(trails.still) {
    limit(charts_, arguments);
    entitle(charts_, cast);
    canvas.add([this, look = with_sizes(canvas.look(), arguments)](Drawing& drawing) {
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
    const auto charts_of = [&cast, arguments](std::optional<double> now) {
      std::vector<Chart> charts = charts_at(cast, arguments, now);
      limit(charts, arguments);
      entitle(charts, cast);
      return charts;
    };
    (void)charts_of({});  // what is wrong with keys is said now
    canvas.add(
        [this, &cast, charts_of, still = trails.still, look = with_sizes(canvas.look(), arguments)](Drawing& drawing) {
          const std::optional<double> now = still ? std::nullopt : now_;
          const std::vector<Chart> charts = charts_of(now);
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
  return std::make_unique<Plot>(canvas, cast, charts_of(cast, arguments), arguments, trails);
}

}  // namespace orrery::render
