// SPDX-License-Identifier: MIT
// Panels of a chart: notes fit, names do not overlap, and the same item has the same colour.
#include <gtest/gtest.h>

#include <cmath>

#include "labels.hpp"
#include "render/canvas/image.hpp"
#include "render/chart/chart_sheet.hpp"
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
    draw_charts(drawing, its_look, {error});
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
      draw_charts(drawing, style(Theme::light, 0.5), {chart});
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
    const std::vector<Chart> charts{chart};
    ChartSheet sheet(its_look, charts, size, ChartSheet::Use::growth);
    std::vector<float> widths;
    const auto add_widths = [&](const std::vector<Shape>& shapes) {
      for (const Shape& shape : shapes) {
        const auto* line = std::get_if<Line>(&shape);
        if (line != nullptr && line->points.size() > 8) widths.push_back(line->width);
      }
    };
    for (const double time : {0.25, 0.6, 1.0}) {
      Drawing drawing{size, {}, 1, {}};
      sheet.grow(time);
      sheet.draw(drawing, {});
      add_widths(drawing.shapes);
      add_widths(std::get<Layered>(drawing.shapes.front()).layer->content().shapes);
    }
    EXPECT_GE(widths.size(), 10U);
    for (const float width : widths) EXPECT_EQ(width, widths.front());
    EXPECT_GE(widths.front(), std::min(its_look.curve_line, 1.F)) << "thinner it breaks up";
  }
}

/// Curves of a run with many rows, one of them with gaps, beside one that is there from the start.
std::vector<Chart> growing_charts(std::size_t rows, double sign) {
  std::vector<Chart> charts(2);
  for (std::size_t k = 0; k < 2; ++k) {
    charts[k].x = {.name = "t"};
    charts[k].y = {.name = k == 0 ? "a" : "b"};
    for (const double rate : {17.3, 40.1}) {
      Curve curve{.name = "of " + std::to_string(rate)};
      for (std::size_t i = 0; i < rows; ++i) {
        const double t = sign * static_cast<double>(i) / static_cast<double>(rows - 1);
        curve.time.push_back(t);
        curve.x.push_back(t);
        curve.y.push_back(i % 97 < 3 && k == 1 ? std::nan("") : std::sin(rate * t) + 0.1 * std::sin(30 * rate * t));
      }
      charts[k].curves.push_back(curve);
    }
    charts[k].curves.push_back({.x = {0, 1}, .y = {0.3, 0.4}, .stroke = Curve::Stroke::dashed});
  }
  return charts;
}

TEST(ChartPanels, APictureOfAGrowingChartDoesNotDependOnThoseBefore) {
  for (const double sign : {1.0, -1.0}) {
    for (const std::size_t rows : {std::size_t{2}, std::size_t{257}, std::size_t{9001}}) {
      const std::vector<Chart> charts = growing_charts(rows, sign);
      const Size size{371, 243};
      const Style its_look = style(Theme::light, size);
      const auto picture = [&](ChartSheet& sheet, double time) {
        Drawing drawing{size, its_look.background, 1, {}};
        sheet.grow(time);
        sheet.draw(drawing, {"t", "t"});
        return rasterised(drawing).rgb;
      };
      ChartSheet grows(its_look, charts, size, ChartSheet::Use::growth);
      for (const double time : {0.0, 0.013, 0.31, 0.32, 0.77, 1.0}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, " << time);
        ChartSheet starts(its_look, charts, size, ChartSheet::Use::growth);
        EXPECT_TRUE(picture(grows, sign * time) == picture(starts, sign * time));
      }
    }
  }
}

TEST(ChartPanels, TheLastPictureOfAFilmIsAlmostTheStill) {
  const std::vector<Chart> charts = growing_charts(9001, 1);
  const Size size{640, 480};
  const Style its_look = style(Theme::light, size);
  ChartSheet film(its_look, charts, size, ChartSheet::Use::growth);
  Drawing last{size, its_look.background, 1, {}}, still = last;
  film.grow(1);
  film.draw(last, {});
  // Without the dots at the ends of curves, and with space above as for a stamp.
  ChartSheet(its_look, charts, size, ChartSheet::Use::growth).draw(still, {});
  const Image a = rasterised(last), b = rasterised(still);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) differ += std::abs(a.rgb[i] - b.rgb[i]) > 16 ? 1 : 0;
  EXPECT_LT(differ, a.rgb.size() / 250);
}

TEST(ChartPanels, PositiveDataHaveNoNegativeLimit) {
  const auto lowest = [](double low, double high) {
    Chart chart{.x = {.name = "t"}, .y = {.name = "y"}};
    chart.curves = {{.x = {0, 1}, .y = {low, high}}};
    return y_limits(chart, {0, 1}).low;
  };
  EXPECT_EQ(lowest(0.02, 9), 0);
  EXPECT_LT(lowest(0, 9), 0) << "an error that begins with nought";
  EXPECT_LT(lowest(-0.02, 9), -0.02);
  EXPECT_GT(lowest(5, 9), 4);
}

TEST(ChartPanels, AxisLabelsHaveTwoLinesRatherThanSmallLetters) {
  Chart chart{.x = {.name = "t"}, .y = {.name = "i to the xy plane", .unit = "°"}};
  chart.curves = {{.x = {0, 1}, .y = {0, 1}}};
  Drawing drawing{{600, 380}, {}, 1, {}};
  const Style its_style = style(Theme::light, Size{600, 380});
  draw_charts(drawing, its_style, {chart, chart, chart});
  std::vector<std::string> lines;
  for (const Shape& shape : drawing.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text == nullptr || !text->upwards) continue;
    lines.push_back(text->words);
    EXPECT_GT(text->size, 0.75F * its_style.label_text);
  }
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0] + " " + lines[1], "i to the xy plane [°]");
}

TEST(ChartPanels, CurvesThatTurnKeepAwayFromTheFrameAlsoInGaps) {
  Chart chart{.x = {.name = "x"}, .y = {.name = "v"}};
  Curve& loop = chart.curves.emplace_back();
  for (int i = 0; i < 47; ++i) {
    loop.x.insert(loop.x.end(), {std::cos(0.7 * i), std::nan("")});
    loop.y.insert(loop.y.end(), {std::sin(0.7 * i), std::nan("")});
  }
  EXPECT_LT(x_limits({&chart, 1}).low, -1.05);
  EXPECT_GT(x_limits({&chart, 1}).high, 1.05);
}

TEST(ChartPanels, MarksOfManyTurnsLeaveTheCurveVisible) {
  for (const int turns : {1, 3, 23, 217}) {
    std::vector<Point> points;
    for (int i = 0; i <= 90 * turns; ++i) {
      const float a = 0.07F * static_cast<float>(i), r = 200 + 0.01F * static_cast<float>(i);
      points.push_back({400 + r * std::cos(a), 300 + r * std::sin(a)});
    }
    const std::size_t marks = sparse_marks(points, {0, 0, 800, 600}, 0.3).size();
    EXPECT_GE(marks, 3U) << turns;
    EXPECT_LE(marks, 13U) << turns;
  }
}

TEST(ChartPanels, UprightAxisLabelsHaveEqualSizes) {
  Chart above{.x = {.name = "t"}, .y = {.name = "a-name-that-is-longer-than-its-box-is-high"}}, below = above;
  above.curves = below.curves = {{.x = {0, 1}, .y = {0, 1}}};
  below.y.name = "short";
  Drawing drawing{{600, 500}, {}, 1, {}};
  draw_charts(drawing, style(Theme::light, Size{600, 500}), {above, below});
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
  draw_charts(drawing, style(Theme::light, Size{1016, 762}), {chart});
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
  draw_charts(drawing, style(Theme::light, 1.0), charts);
  EXPECT_EQ(wrong_labels(drawing), "");
}

TEST(ChartPanels, UnnamedCurvesHaveOneColorInAllPanels) {
  const Curve line{.x = {0, 1, 2}, .y = {1, 3, 2}};
  const std::vector<Chart> charts{{.title = "Rotation", .x = {.name = "R"}, .y = {.name = "v"}, .curves = {line}},
                                  {.x = {.name = "R"}, .y = {.name = "σ"}, .curves = {line}}};
  Drawing drawing{{800, 600}, {}, 1, {}};
  const Style its_look = style(Theme::light, drawing.size);
  draw_charts(drawing, its_look, charts);
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
