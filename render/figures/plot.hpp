// SPDX-License-Identifier: MIT
// A figure of curves: charts that are known before the first frame, and grow in a film.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "render/canvas.hpp"
#include "render/chart.hpp"
#include "render/figure.hpp"
#include "render/furniture.hpp"

namespace orrery::render {

class Plot final : public Figure {
 public:
  /// Charts one above another; the first has the title of the cast.
  Plot(Canvas& canvas, const Cast& cast, std::vector<Chart> charts, Trails trails)
      : cast_(cast), charts_(std::move(charts)), still_(trails.still) {
    charts_.front().title = cast.title;
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

/// The `make` of a kind whose figures are charts: `charts_of(cast, arguments)` are those, at least one.
template <auto charts_of>
std::unique_ptr<Figure> make_plot(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails) {
  return std::make_unique<Plot>(canvas, cast, charts_of(cast, arguments), trails);
}

}  // namespace orrery::render
