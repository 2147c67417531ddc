// SPDX-License-Identifier: MIT
// Figures of charts: in films their curves grow, or those of each moment follow one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "render/chart/chart_curves.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

TEST(ChartFigure, BodyAtRestIsADot) {
  const auto dots = [](const std::vector<double>& x) {
    const RunInfo info;
    Canvas canvas({1000, 800});
    const auto figure = made({{.curves = {{.x = x, .y = {0, 0, 0, 0}, .time = {0, 1, 2, 3}}}}}, canvas, info);
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    return std::ranges::count_if(drawing.shapes, [&](const Shape& shape) {
      const auto* disc = std::get_if<Disc>(&shape);
      return disc != nullptr && disc->radius > 4 * canvas.style().unit;
    });
  };
  EXPECT_EQ(dots({0, 0, 0, 0}), 1);
  EXPECT_EQ(dots({0, 1, 2, 3}), 0) << "a line needs none";
}

TEST(ChartFigure, ChartsOfMomentsFollowOneAnotherInAFilm) {
  const TestRun run = circles(2, 3);
  for (const char* name : {"radial-profile", "rotation-curve", "pair-correlation"}) {
    Canvas canvas({640, 480});
    const std::vector<Chart> charts = charts_for(name, run.info, true);
    const auto figure = made(charts, canvas, run.info, {}, Trails{0.1});
    std::vector<Image> pictures;
    for (const Frame& frame : run.frames) {
      figure->show(frame);
      EXPECT_EQ(figure->charts().size(), charts.size() / 3);
      EXPECT_EQ(figure->charts().front()->moment, frame.time);
      pictures.push_back(canvas.capture(scene_of(*figure)));
    }
    for (std::size_t k = 1; k < pictures.size(); ++k) {
      int differing = 0;
      for (int y = 60; y < 480; ++y) {
        for (int x = 0; x < 640; ++x) differing += distance(pictures[k].at(x, y), pictures[k - 1].at(x, y)) > 40;
      }
      EXPECT_GT(differing, 300) << name << " stands still";
    }
    const Box first = plot_box(pictures[0], canvas.style()), last = plot_box(pictures[2], canvas.style());
    EXPECT_EQ(first.left, last.left) << "and its axes do not move";
  }
}

TEST(ChartFigure, TheMomentIsTheLastOneThatHasBegun) {
  RunInfo info;
  for (const double sign : {1.0, -1.0}) {  // forward and backward in time
    std::vector<Chart> charts;
    for (const double t : {0.0, 0.4, 0.9}) charts.push_back({.title = std::to_string(t), .moment = sign * t});
    info.end = sign;
    Canvas canvas({320, 240});
    const auto film = made(charts, canvas, info, {}, Trails{0.1});
    for (const auto& [now, moment] :
         {std::pair(-0.1, 0.0), {0.0, 0.0}, {0.39, 0.0}, {0.4, 0.4}, {0.7, 0.4}, {1.0, 0.9}}) {
      film->show({sign * now, {}, {}});
      EXPECT_EQ(film->charts().front()->moment, sign * moment) << now;
    }
    const auto still = made(charts, canvas, info);
    still->show({0, {}, {}});
    EXPECT_EQ(still->charts().front()->moment, sign * 0.9) << "a still shows the last one";
  }
}

TEST(ChartFigure, CurvesGrowInAFilm) {
  const TestRun run = circles(2, 101);
  for (const char* name : {"separation", "phase", "elements", "divergence", "virial", "energy-error"}) {
    Canvas canvas({640, 480});
    const auto figure = made(charts_for(name, run.info, true), canvas, run.info, {}, Trails{0.1});
    int before = 0;
    for (const std::size_t i : {10U, 50U, 100U}) {
      figure->show(run.frames[i]);
      const int now = count(canvas.capture(scene_of(*figure)), body_color(Theme::light, 0), 60);
      EXPECT_GT(now, before + 30) << name << i;
      before = now;
    }
  }
}

/// A band of a nearly constant height down to nearly nought on a logarithmic axis: some of it is visible.
TEST(ChartFigure, BandsHaveHeightOnALogarithmicAxis) {
  Chart chart{.x = {.name = "t"}, .y = {.name = "error", .logarithmic = true}};
  Curve& band = chart.curves.emplace_back();
  band.stroke = Curve::Stroke::band;
  for (int i = 0; i < 31; ++i) {
    band.x.push_back(i);
    band.y.push_back(1.3e-6 * (1 + 0.01 * std::sin(i)));
    band.low.push_back(i % 7 == 0 ? 0 : 1e-13);
  }
  const Interval limits = y_limits(chart, {0, 30});
  EXPECT_GT(limits.length(), 1.9);
  EXPECT_LT(limits.length(), 3) << "but not all of it";
  EXPECT_LT(limits.high, -5.6);
}

TEST(ChartFigure, BandsAreFilled) {
  const RunInfo info;
  for (const bool logarithmic : {false, true}) {
    Chart chart{.y = {.logarithmic = logarithmic}};
    Curve& band = chart.curves.emplace_back();
    band.stroke = Curve::Stroke::band;
    for (int i = 0; i <= 200; ++i) {
      band.x.push_back(i);
      band.y.push_back(1e-6 * (1 + 0.5 * std::sin(i / 30.0)));
      band.low.push_back(0);
    }
    Canvas canvas({1000, 700});
    const auto figure = made({chart}, canvas, info);
    const Image image = canvas.capture(scene_of(*figure));
    const Box box = plot_box(image, canvas.style());
    // Its colour is blended with the background.
    const Color filled = mixed(canvas.style().background, body_color(Theme::light, 0), 0.35);
    for (const double t : {0.213, 0.487, 0.772}) {
      EXPECT_LT(distance(pixel(image, box, t, logarithmic ? 0.13 : 0.37), filled), 40) << t;
      EXPECT_GT(distance(pixel(image, box, t, 0.985), filled), 40) << t;
    }
    EXPECT_LT(count(image, body_color(Theme::light, 0), 20), 4000) << "edges, no line";
  }
}

TEST(ChartFigure, DegenerateCurvesAreDrawn) {
  const RunInfo info;
  const double nan = std::nan("");
  using Numbers = std::vector<double>;
  for (const auto& [x, y] : {std::pair(Numbers{0, 1, 2}, Numbers{0, 0, 0}),
                             {Numbers{0}, Numbers{1}},
                             {Numbers{}, Numbers{}},
                             {Numbers{0, 1, 2}, Numbers{-1, nan, -1.1}},
                             {Numbers{0, 1}, Numbers{nan, nan}},
                             {Numbers{0, 0}, Numbers{1, 1}},
                             {Numbers{0, 1}, Numbers{-1, 1e300}}}) {
    for (const bool logarithmic : {false, true}) {
      Canvas canvas({640, 480});
      const auto figure =
          made({{.y = {.logarithmic = logarithmic}, .curves = {{.x = x, .y = y, .time = x}}}}, canvas, info);
      EXPECT_GT(count(canvas.capture(scene_of(*figure)), canvas.style().ink, 60), 100);
    }
  }
}

}  // namespace
}  // namespace orrery::render
