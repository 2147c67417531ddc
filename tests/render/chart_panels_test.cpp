// SPDX-License-Identifier: MIT
// Panels of a chart: notes fit, names do not overlap, and the same item has the same colour.
#include <gtest/gtest.h>

#include <cmath>

#include "labels.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/marks.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

TEST(ChartPanels, UnitIsBelowALongUprightAxisLabel) {
  Chart error{.x = {.name = "t"}, .y = {.name = "ΔE/E₀"}};
  error.curves = {{.x = {0, 1}, .y = {0, 1e-7}}};
  const Style its_look = style(Theme::light, 0.5);
  for (const int height : {150, 600}) {
    Drawing drawing{{500, height}, {}, 1, {}};
    draw_charts(drawing, its_look, {error}, 1);
    EXPECT_EQ(wrong_labels(drawing), "");
    std::vector<Text> names;
    for (const Shape& shape : drawing.shapes) {
      const auto* text = std::get_if<Text>(&shape);
      if (text != nullptr && text->upwards) names.push_back(*text);
    }
    ASSERT_EQ(names.size(), height == 600 ? 1U : 2U);
    EXPECT_EQ(names[0].words, height == 600 ? "ΔE/E₀ [10⁻⁷]" : "ΔE/E₀");
    for (const Text& name : names) EXPECT_GT(name.size, 0.8F * its_look.label_text);
    if (height == 150) {
      EXPECT_EQ(names[1].words, "[10⁻⁷]");
    }
  }
}

/// A run of ten days with times in seconds: ticks show days, at the right places.
TEST(ChartPanels, TicksAreRoundInTheUnitOfTheAxis) {
  for (const bool logarithmic : {false, true}) {
    const auto drawn = [&](double unit) {
      Chart chart{.x = {.name = "t", .unit = "d", .logarithmic = logarithmic, .unit_length = unit}, .y = {.name = "y"}};
      chart.curves = {{.x = {0.01 * unit, unit, 10 * unit}, .y = {0, 1, 2}}};
      chart.x.limits = Interval{logarithmic ? 0.01 * unit : 0, 10 * unit};
      Drawing drawing{{640, 480}, {}, 1, {}};
      draw_charts(drawing, style(Theme::light, 0.5), {chart}, 1);
      return drawing;
    };
    const Drawing days = drawn(1), seconds = drawn(86400);
    ASSERT_EQ(days.shapes.size(), seconds.shapes.size());
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < days.shapes.size(); ++i) {
      const auto *a = std::get_if<Text>(&days.shapes[i]), *b = std::get_if<Text>(&seconds.shapes[i]);
      ASSERT_EQ(a == nullptr, b == nullptr);
      if (a == nullptr) continue;
      ++numbers;
      EXPECT_EQ(a->words, b->words);
      EXPECT_NEAR(a->at.x, b->at.x, 0.01F);
      EXPECT_NEAR(a->at.y, b->at.y, 0.01F);
    }
    EXPECT_GT(numbers, 6U);
  }
}

TEST(ChartPanels, GrowingCurveKeepsItsWidthInSmallFilms) {
  Chart chart{.x = {.name = "t"}, .y = {.name = "y"}};
  Curve wave;
  for (int i = 0; i <= 500; ++i) {
    wave.time.push_back(0.002 * i);
    wave.x.push_back(0.002 * i);
    wave.y.push_back(std::sin(0.05 * i));
  }
  chart.curves = {wave};
  for (const Size size : {Size{480, 270}, Size{640, 480}}) {
    const Style its_look = style(Theme::dark, size);
    std::vector<float> widths;
    for (const double time : {0.25, 0.6, 1.0}) {
      Drawing drawing{size, {}, 1, {}};
      draw_charts(drawing, its_look, {chart}, 1, ChartTime{time, {}});
      for (const Shape& shape : drawing.shapes) {
        const auto* line = std::get_if<Line>(&shape);
        if (line != nullptr && line->points.size() > 20) widths.push_back(line->width);
      }
    }
    ASSERT_EQ(widths.size(), 3U);
    EXPECT_EQ(widths[0], widths[2]);
    EXPECT_EQ(widths[1], widths[2]);
    EXPECT_GE(widths[2], std::min(its_look.curve_line, 1.F)) << "thinner it breaks up";
  }
}

TEST(ChartPanels, PositiveDataHaveNoNegativeLimit) {
  const auto lowest = [](double low, double high, bool equal = false) {
    Chart chart{.x = {.name = "t"}, .y = {.name = "y"}, .equal = equal};
    chart.curves = {{.x = {0, 1}, .y = {low, high}}};
    return y_limits(chart, {0, 1}).low;
  };
  EXPECT_EQ(lowest(0.02, 9), 0);
  EXPECT_LT(lowest(0, 9), 0) << "an error that begins with nought";
  EXPECT_LT(lowest(-0.02, 9), -0.02);
  EXPECT_GT(lowest(5, 9), 4);
  EXPECT_LT(lowest(0.02, 9, true), 0) << "a coordinate";
}

TEST(ChartPanels, UprightAxisLabelsHaveEqualSizes) {
  Chart above{.x = {.name = "t"}, .y = {.name = "a name that is longer than its box is high"}}, below = above;
  above.curves = below.curves = {{.x = {0, 1}, .y = {0, 1}}};
  below.y.name = "short";
  Drawing drawing{{600, 500}, {}, 1, {}};
  draw_charts(drawing, style(Theme::light, Size{600, 500}), {above, below}, 1);
  float longer = 0, shorter = 0;
  for (const Shape& shape : drawing.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text == nullptr || !text->upwards) continue;
    (text->words == "short" ? shorter : longer) = text->size;
  }
  EXPECT_GT(longer, 0);
  EXPECT_LT(longer, style(Theme::light, Size{600, 500}).label_text);
  EXPECT_EQ(longer, shorter);
}

TEST(ChartPanels, LabelOfGuideIsInACornerIfItDoesNotFit) {
  Chart chart{.title = "Virial", .x = {.name = "t"}, .y = {.name = "2T/|W|", .limits = Interval{-2, 2}}};
  Curve wave;
  for (int i = 0; i <= 900; ++i) {
    wave.x.push_back(0.1 * i);
    wave.y.push_back(std::sin(2.9 * wave.x.back()));
  }
  chart.curves = {wave, {.x = {0, 90}, .y = {0, 0}, .stroke = Curve::Stroke::dashed, .note = "equilibrium"}};
  Drawing drawing{{1016, 762}, {}, 1, {}};
  draw_charts(drawing, style(Theme::light, Size{1016, 762}), {chart}, 1);
  const Text* note = nullptr;
  for (const Shape& shape : drawing.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text != nullptr && text->words == "equilibrium") note = text;
  }
  ASSERT_NE(note, nullptr);
  const Box room = room_of(*note);
  std::size_t waves = 0;
  for (const Shape& shape : drawing.shapes) {
    const auto* line = std::get_if<Line>(&shape);
    if (line == nullptr || line->points.size() < 100) continue;
    ++waves;
    for (const Point p : line->points) {
      const bool on = p.x > room.left && p.x < room.right && p.y > room.top && p.y < room.bottom;
      ASSERT_FALSE(on) << p.x << " " << p.y;
    }
  }
  EXPECT_EQ(waves, 1U);
}

TEST(ChartPanels, AxisLabelsOfLowPanelsDoNotOverlap) {
  const Curve line{.x = {0, 1, 2}, .y = {1, 3, 2}};
  Chart chart{.x = {.name = "R"}, .y = {.name = "mean speed", .unit = "10⁴ km/s"}, .curves = {line}};
  std::vector<Chart> charts(2, chart);
  charts[0].title = "Rotation";
  Drawing drawing{{1016, 762}, {}, 1, {}};
  draw_charts(drawing, style(Theme::light, 1.0), charts, 1);
  EXPECT_EQ(wrong_labels(drawing), "");
}

TEST(ChartPanels, UnnamedCurvesHaveOneColorInAllPanels) {
  const Curve line{.x = {0, 1, 2}, .y = {1, 3, 2}};
  const std::vector<Chart> charts{{.title = "Rotation", .x = {.name = "R"}, .y = {.name = "v"}, .curves = {line}},
                                  {.x = {.name = "R"}, .y = {.name = "σ"}, .curves = {line}}};
  Drawing drawing{{800, 600}, {}, 1, {}};
  const Style its_look = style(Theme::light, drawing.size);
  draw_charts(drawing, its_look, charts, 1);
  std::size_t curves = 0;
  for (const Shape& shape : drawing.shapes) {
    const auto* drawn = std::get_if<Line>(&shape);
    if (drawn == nullptr || drawn->width != its_look.curve_line) continue;
    ++curves;
    EXPECT_EQ(drawn->colors.front(), body_color(its_look.theme, 0));
  }
  EXPECT_EQ(curves, 2U);
}

}  // namespace
}  // namespace orrery::render
