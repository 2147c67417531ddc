// SPDX-License-Identifier: MIT
// The energy error: the curve follows its rows, and sparse rows still give a picture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "render/chart/chart_curves.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

TestRun with_energy(const std::vector<double>& time, const std::vector<double>& energy) {
  TestRun run = circles(2, 2);
  run.info.series = {energy_series(time, energy)};
  return run;
}

TEST(EnergyError, CurvePassesThroughItsRows) {
  const FigureKind& kind = kind_named("energy-error");
  std::vector<double> time, energy;
  for (int i = 0; i <= 1000; ++i) {
    time.push_back(i);
    energy.push_back(-2 - 2e-9 * i);  // the error falls from 0 to -1e-6
  }
  const TestRun run = with_energy(time, energy);
  Arguments arguments = defaults(kind);
  arguments.set("scale", std::string("linear"));
  Canvas canvas({1000, 700});
  const auto figure = kind.make(canvas, run.info, arguments, whole);
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  for (const double t : {0.2, 0.5, 0.77}) {  // limits are [-1.08e-6, 0.08e-6]
    EXPECT_LT(distance(pixel(image, box, t, (1.08 - t) / 1.16), body_color(Theme::light, 0)), 100) << t;
    EXPECT_GT(distance(pixel(image, box, t, (1.08 - t) / 1.16 + 0.05), body_color(Theme::light, 0)), 100) << t;
  }
}

TEST(EnergyError, LogarithmicScaleSkipsZeros) {
  const FigureKind& kind = kind_named("energy-error");
  const TestRun run = with_energy({0, 1, 2, 3}, {-1, -1 - 1e-12, -1, -1 - 1e-6});  // 0, 1e-12, 0, 1e-6
  Arguments arguments = defaults(kind);
  arguments.set("scale", std::string("log"));
  Canvas canvas({1000, 700});
  const auto figure = kind.make(canvas, run.info, arguments, whole);
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  // A straight line from (1, 1e-12) to (3, 1e-6) on limits of 1e-13 … 1e-5 or 1e-12 … 1e-6 would be found by
  // its colour.
  EXPECT_GT(count(image, body_color(Theme::light, 0), 60), 400);
  EXPECT_GT(distance(pixel(image, box, 0.15, 0.5), body_color(Theme::light, 0)), 100);
}

/// Two and a half rows in a period with a narrow spike: some rows are on a spike and most are not, and a line through them
/// would be a beat that the run does not have.
TEST(EnergyError, LineThroughSomeOfTheSpikesIsNotDrawn) {
  const FigureKind& kind = kind_named("energy-error");
  const auto lines = [&](double narrowness, double rows_per_period) {
    const auto error = [&](double row) {
      return 1e-6 * std::pow(std::abs(std::cos(M_PI * row / rows_per_period)), narrowness);
    };
    std::vector<double> time, energy, low, high;
    for (int i = 0; i <= 611; ++i) {
      time.push_back(i);
      energy.push_back(-1 + error(i));
      double least = energy.back(), greatest = energy.back();
      for (double back = 0; back <= 1; back += 1.0 / 128) {
        least = std::min(least, -1 + error(i - back));
        greatest = std::max(greatest, -1 + error(i - back));
      }
      low.push_back(least);
      high.push_back(greatest);
    }
    TestRun run = with_energy(time, energy);
    run.info.series.front().values.push_back(low);
    run.info.series.front().values.push_back(high);
    Arguments arguments = defaults(kind);
    arguments.set("scale", std::string("linear"));
    Canvas canvas({1000, 700});
    const auto figure = kind.make(canvas, run.info, arguments, whole);
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    return std::ranges::count_if(drawing.shapes, [](const Shape& shape) {
      const auto* line = std::get_if<Line>(&shape);
      return line != nullptr && line->points.size() > 100;
    });
  };
  const auto of_band = lines(30, 2.551);
  EXPECT_EQ(lines(10, 2.551), of_band);
  EXPECT_EQ(lines(30, 4.37), of_band);
  EXPECT_EQ(lines(10, 31.3), of_band + 1);
  EXPECT_EQ(lines(2, 5.3), of_band + 1) << "a sine";
}

/// A band of a nearly constant height down to nearly nought on a logarithmic axis: some of it is visible.
TEST(EnergyError, BandsHaveHeightOnALogarithmicAxis) {
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

/// Rows with an error of 0, and spikes of 1 … 1.5e-6 between any two of them: the band is drawn, and no line suggests
/// that there were none.
TEST(EnergyError, UnresolvedCurveIsABand) {
  const FigureKind& kind = kind_named("energy-error");
  std::vector<double> time, energy, low, high;
  for (int i = 0; i <= 200; ++i) {
    time.push_back(i);
    energy.push_back(-1);
    low.push_back(-1);
    high.push_back(-1 + 1e-6 * (1 + 0.5 * std::sin(i / 30.0)));
  }
  TestRun run = with_energy(time, energy);
  run.info.series.front().values.push_back(low);
  run.info.series.front().values.push_back(high);
  run.info.series.front().name = "least to greatest of every step";
  for (const char* scale : {"linear", "log"}) {
    Arguments arguments = defaults(kind);
    arguments.set("scale", std::string(scale));
    Canvas canvas({1000, 700});
    const auto figure = kind.make(canvas, run.info, arguments, whole);
    const Image image = canvas.capture(scene_of(*figure));
    const Box box = plot_box(image, canvas.style());
    // From 0 to 1 … 1.5e-6: its colour is blended with the background.
    const Color ground = canvas.style().background, filled = mixed(ground, body_color(Theme::light, 0), 0.35);
    for (const double t : {0.213, 0.487, 0.772}) {
      const double inside = std::string_view(scale) == "linear" ? 0.37 : 0.13;
      EXPECT_LT(distance(pixel(image, box, t, inside), filled), 40) << scale << ", " << t;
      EXPECT_GT(distance(pixel(image, box, t, 0.985), filled), 40) << scale << ", " << t;
    }
    EXPECT_LT(count(image, body_color(Theme::light, 0), 20), 4000) << "edges and the legend, no line";
    arguments.set("bands", false);
    const auto lines = kind.make(canvas, run.info, arguments, whole);
    const Image without = canvas.capture(scene_of(*lines));
    for (const double t : {0.213, 0.487, 0.772}) EXPECT_GT(distance(pixel(without, box, t, 0.13), filled), 40) << scale;
    EXPECT_GT(count(without, body_color(Theme::light, 0), 20), 500) << "edges as lines";
  }
}

/// If the rows resolve the curve, the line is drawn.
TEST(EnergyError, ResolvedCurveIsALine) {
  const FigureKind& kind = kind_named("energy-error");
  std::vector<double> time, energy, low, high;
  for (int i = 0; i <= 200; ++i) {
    time.push_back(i);
    energy.push_back(-1 + 1e-6 * std::sin(i / 10.0));
    low.push_back(std::min(energy.back(), i == 0 ? -1 : energy[static_cast<std::size_t>(i) - 1]));
    high.push_back(std::max(energy.back(), i == 0 ? -1 : energy[static_cast<std::size_t>(i) - 1]) + 1e-8);
  }
  const auto lines_of = [&](bool with_band) {
    TestRun run = with_energy(time, energy);
    if (with_band) run.info.series.front().values.insert(run.info.series.front().values.end(), {low, high});
    Arguments arguments = defaults(kind);
    arguments.set("scale", std::string("linear"));
    Canvas canvas({1000, 700});
    const auto figure = kind.make(canvas, run.info, arguments, whole);
    return count(canvas.capture(scene_of(*figure)), body_color(Theme::light, 0), 60);
  };
  EXPECT_GT(lines_of(true), 0.9 * lines_of(false));
}

TEST(EnergyError, DegenerateSeriesAreDrawn) {
  const FigureKind& kind = kind_named("energy-error");
  const double nan = std::nan("");
  for (const TestRun& run :
       {with_energy({0, 1, 2}, {-1, -1, -1}), with_energy({0}, {-1}), with_energy({}, {}),
        with_energy({0, 1}, {0, 1e-3}), with_energy({0, 1, 2}, {-1, nan, -1.1}), with_energy({0, 1}, {nan, nan}),
        with_energy({0, 0}, {-1, -1}), with_energy({0, 1}, {-1, 1e300})}) {
    for (const char* scale : {"both", "linear", "log"}) {
      Arguments arguments = defaults(kind);
      arguments.set("scale", std::string(scale));
      Canvas canvas({640, 480});
      const auto figure = kind.make(canvas, run.info, arguments, whole);
      EXPECT_GT(count(canvas.capture(scene_of(*figure)), canvas.style().ink, 60), 100);
    }
  }
}

TEST(EnergyError, CurveGrowsInAFilm) {
  const FigureKind& kind = kind_named("energy-error");
  const TestRun run = circles(2, 101);
  Canvas canvas({640, 480});
  const auto figure = kind.make(canvas, run.info, defaults(kind), Trails{0.1});
  int before = 0;
  for (const std::size_t i : {10U, 50U, 100U}) {
    figure->show(run.frames[i]);
    const int now = count(canvas.capture(scene_of(*figure)), body_color(Theme::light, 0), 60);
    EXPECT_GT(now, before + 30);
    before = now;
  }
}

}  // namespace
}  // namespace orrery::render
