// SPDX-License-Identifier: MIT
// Charts: curves follow their numbers, differ by more than their colour, and nothing overlaps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/canvas/text.hpp"
#include "render/chart/chart_sheet.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/marks.hpp"
#include "render/style/annotations.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::ElementsAre;

Curve power_law(std::string name, double factor, double power, Curve::Stroke stroke = Curve::Stroke::both) {
  Curve curve{.name = std::move(name), .x = {}, .y = {}, .stroke = stroke};
  for (int i = 0; i < 8; ++i) {
    curve.x.push_back(0.1 * std::pow(0.6, i));
    curve.y.push_back(factor * std::pow(curve.x.back(), power));
  }
  return curve;
}

Chart logarithmic(std::vector<Curve> curves) {
  return {.title = "Error",
          .x = {.name = "dt", .unit = "", .logarithmic = true},
          .y = {.name = "|Δx|", .unit = "", .logarithmic = true},
          .curves = std::move(curves)};
}

Scene charts_on(const Canvas& canvas, std::vector<Chart> charts) {
  return
      [style = canvas.style(), charts = std::move(charts)](Drawing& drawing) { draw_charts(drawing, style, charts); };
}

std::vector<Text> texts_of(const Drawing& drawing) {
  std::vector<Text> texts;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(*text);
  }
  return texts;
}

void expect_apart_and_whole(const Drawing& drawing) {
  const std::vector<Text> texts = texts_of(drawing);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Box a = room_of(texts[i]);
    EXPECT_TRUE(a.left >= 0 && a.top >= 0 && a.right <= static_cast<float>(drawing.size.width) &&
                a.bottom <= static_cast<float>(drawing.size.height))
        << texts[i].words << " is cut";
    for (std::size_t k = 0; k < i; ++k) {
      const Box b = room_of(texts[k]);
      const bool apart = a.right < b.left || a.left > b.right || a.bottom < b.top || a.top > b.bottom;
      EXPECT_TRUE(apart) << texts[i].words << " lies on " << texts[k].words;
    }
  }
}

TEST(Chart, ThirteenCurvesDifferInColorAndMarker) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const Style style = render::style(theme, {800, 600});
    for (std::size_t i = 0; i < 13; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        EXPECT_GT(distance(body_color(theme, i), body_color(theme, k)), 24) << i << " " << k;
        const auto image_of = [&](std::size_t mark) {
          Canvas canvas({64, 64}, theme);
          return canvas.drawing([&](Drawing& drawing) { draw_mark(drawing, style, mark, {32, 32}, 9, style.ink); });
        };
        const Drawing a = image_of(i), b = image_of(k);
        const auto kind = [](const Drawing& d) {
          std::string all;
          for (const Shape& shape : d.shapes) {
            all += std::to_string(shape.index());
            if (const auto* area = std::get_if<Area>(&shape)) {
              for (const Point p : area->points) all += std::to_string(p.x - p.y) + (area->color == Color{} ? "" : "c");
              all += std::to_string(area->color.red);
            }
            if (const auto* disc = std::get_if<Disc>(&shape)) all += std::to_string(disc->fill.red);
            if (const auto* line = std::get_if<Line>(&shape)) all += std::to_string(line->points[0].x);
          }
          return all;
        };
        EXPECT_NE(kind(a), kind(b)) << i << " " << k;
      }
    }
  }
}

TEST(Chart, CurvesPassThroughTheirValues) {
  Canvas canvas({900, 700});
  Chart chart = logarithmic({power_law("", 1, 4, Curve::Stroke::line)});
  chart.x.limits = Interval{1e-3, 1};
  chart.y.limits = Interval{1e-12, 1};
  const Scene scene = charts_on(canvas, {chart});
  const Image image = canvas.capture(scene);
  const Box box = plot_box(image, canvas.style());
  for (const double decade : {-1.3, -1.9, -2.4}) {
    const double right = (decade + 3) / 3, up = (4 * decade + 12) / 12;
    EXPECT_LT(distance(pixel(image, box, right, up), body_color(Theme::light, 0)), 100) << decade;
    EXPECT_GT(distance(pixel(image, box, right, up + 0.05), body_color(Theme::light, 0)), 100) << decade;
  }
}

TEST(Chart, TextsNeitherOverlapNorAreCut) {
  for (const std::size_t curves : {1U, 3U, 5U, 13U}) {
    for (const Size size : {Size{1600, 1200}, Size{640, 480}, Size{1280, 720}}) {
      SCOPED_TRACE(testing::Message() << curves << " curves, " << size.width);
      std::vector<Chart> charts;
      for (int panel = 0; panel < 3; ++panel) {
        std::vector<Curve> all;
        for (std::size_t i = 0; i < curves; ++i) {
          all.push_back(power_law("integrator " + std::to_string(i), 1, static_cast<double>(i % 8) + 1));
        }
        Curve guide = power_law("", 0.1, 1.3, Curve::Stroke::dashed);
        guide.note = "slope 1.3";
        all.push_back(guide);
        charts.push_back(logarithmic(all));
      }
      charts.front().title = "Three panels with a title that is long";
      Canvas canvas(size);
      const Scene scene = charts_on(canvas, charts);
      const Drawing drawing = canvas.drawing(scene);
      expect_apart_and_whole(drawing);
      std::size_t names = 0, notes = 0;
      for (const Text& text : texts_of(drawing)) {
        names += text.words.starts_with("integrator") ? 1 : 0;
        notes += text.words == "slope 1.3" ? 1 : 0;
      }
      EXPECT_EQ(names, curves) << "a name is written once for all panels";
      EXPECT_EQ(notes, 3U);
    }
  }
}

TEST(Chart, LegendIsBelowAtColumnWidth) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < 4; ++i) {
    curves.push_back(power_law("body " + std::to_string(i) + " – body 9", 1, 1));
    if (i % 2 == 1) std::ranges::reverse(curves.back().y);  // no corner is free
  }
  Canvas canvas({1016, 762}, Theme::light, 300, Lettering::by_page);
  const Scene scene = charts_on(canvas, {logarithmic(curves)});
  expect_apart_and_whole(canvas.drawing(scene));
  const Box box = plot_box(canvas.capture(scene), canvas.style());
  EXPECT_GT(box.width(), 700);
  for (const Text& text : texts_of(canvas.drawing(scene))) {
    if (text.words.starts_with("body")) {
      EXPECT_GT(text.at.y, box.bottom) << text.words;
    }
  }
}

TEST(Chart, LegendIsNeverCutOffInPrint) {
  for (const std::size_t count : {2U, 5U, 8U}) {
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < count; ++i) {
      curves.push_back(power_law("yoshida4, softening = 0.0" + std::to_string(i) + ", slope 4.02 ± 0.05", 1, 1));
      if (i % 2 == 1) std::ranges::reverse(curves.back().y);
    }
    Canvas canvas({1016, 762}, Theme::light, 300, Lettering::by_page);
    const Scene scene = charts_on(canvas, {logarithmic(curves)});
    const Drawing drawing = canvas.drawing(scene);
    expect_apart_and_whole(drawing);
    std::string all;
    for (const Text& text : texts_of(drawing)) all += text.words + " ";
    EXPECT_THAT(all, testing::Not(testing::HasSubstr("…")));
    for (std::size_t i = 0; i < count; ++i) EXPECT_THAT(all, testing::HasSubstr("0.0" + std::to_string(i) + ","));
  }
}

TEST(Chart, LegendBelowStaysOnThePage) {
  for (std::size_t letters = 20; letters < 80; letters += 3) {
    Curve rises = power_law(std::string(letters, 'o'), 1, 1), falls = power_law("falls", 1, 1);
    std::ranges::reverse(falls.y);
    Canvas canvas({1016, 762}, Theme::light, 300, Lettering::by_page);
    const Drawing drawing = canvas.drawing(charts_on(canvas, {logarithmic({rises, falls})}));
    for (const Text& text : texts_of(drawing)) {
      EXPECT_LT(room_of(text).right, 1016 - 8) << letters;
    }
  }
}

TEST(Chart, ShortLegendIsInAFreeCorner) {
  Canvas canvas({1200, 900});
  const Scene scene = charts_on(canvas, {logarithmic({power_law("a", 1, 2), power_law("b", 0.3, 4)})});
  const auto texts = texts_of(canvas.drawing(scene));
  const Image image = canvas.capture(scene);
  const Box box = plot_box(image, canvas.style());
  for (const Text& text : texts) {
    if (text.words != "a" && text.words != "b") continue;
    EXPECT_TRUE(text.at.x > box.left && text.at.x < box.right) << text.words;
    EXPECT_LT(text.at.y, (box.top + box.bottom) / 2) << "curves rise to the right: above at the left it is free";
    EXPECT_LT(text.at.x, box.middle());
  }
}

TEST(Chart, NonFiniteValuesAreGaps) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto lines = [](const Chart& chart) {
    Canvas canvas({640, 480});
    const Scene scene = charts_on(canvas, {chart});
    std::size_t count = 0;
    for (const Shape& shape : canvas.drawing(scene).shapes) {
      const auto* line = std::get_if<Line>(&shape);
      count += line != nullptr && line->colors.front() == body_color(Theme::light, 0) ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(lines({.curves = {{"", "", {0, 1, 2, 3, 4}, {1, 3, nan, 2, 5}}}}), 2U);
  EXPECT_EQ(lines({.curves = {{"", "", {0, 1, 2, 3, 4}, {1, 3, 1, 2, 5}}}}), 1U);
  EXPECT_EQ(lines(logarithmic({{"", "", {1, 2, 3, 4, 5, 6}, {1, 3, 0, 2, 5, -1}}})), 2U);
  EXPECT_EQ(lines({.curves = {{"", "", {0, 1, 2}, {nan, infinity, nan}}}}), 0U);
  EXPECT_EQ(lines({.curves = {}}), 0U);
  EXPECT_EQ(lines({.curves = {{"", "", {0, 1, 2, 3}, {1, 1, 1, 1}}}}), 1U);
  EXPECT_EQ(lines({.curves = {{"", "", {0, 1, 2, 3}, {1, 1 + 1e-15, 1, 1 - 1e-15}}}}), 1U);
  EXPECT_EQ(lines(logarithmic({{.x = {1e-300, 1e300}, .y = {1e300, 1e-300}}})), 1U);
}

TEST(Chart, GuideLineDoesNotExtendTheAxes) {
  Chart chart = logarithmic({power_law("a", 1, 2), power_law("", 1e9, 4, Curve::Stroke::dashed)});
  const Canvas canvas({800, 600});
  const auto numbers = [&] {
    std::vector<std::string> words;
    for (const Text& text : texts_of(canvas.drawing(charts_on(canvas, {chart})))) words.push_back(text.words);
    return words;
  };
  const auto with = numbers();
  chart.curves.pop_back();
  EXPECT_EQ(with, numbers());
}

TEST(Chart, ChartsOfAColumnShareTheirAxis) {
  Chart upper{
      .title = "Two", .x = {.name = "t", .unit = "yr"}, .y = {.name = "a"}, .curves = {{"", "", {0, 5}, {1, 2}}}};
  Chart lower = upper;
  lower.title = "";
  lower.curves = {{"", "", {3, 10}, {1, 2}}};
  const auto written = [](std::vector<Chart> charts) {
    Canvas canvas({800, 900});
    const Scene scene = charts_on(canvas, std::move(charts));
    std::vector<std::string> words;
    for (const Text& text : texts_of(canvas.drawing(scene))) {
      if (text.words == "t [yr]" || text.words == "10") words.push_back(text.words);
    }
    return words;
  };
  EXPECT_THAT(written({upper, lower}), ElementsAre("10", "t [yr]"));
}

TEST(Chart, CurvesInFilmsGrowToTheTimeOfTheFrame) {
  EXPECT_EQ(grown_to({0, 1, 2, 3}, 2), 3U);
  EXPECT_EQ(grown_to({0, 1, 2, 3}, 1.5), 2U);
  EXPECT_EQ(grown_to({0, -1, -2, -3}, -2), 3U) << "times fall where a run goes backward";
  EXPECT_EQ(grown_to({5, 6, 7}, 100), 3U);
  EXPECT_EQ(grown_to({5, 6, 7}, 4), 0U);
  EXPECT_EQ(grown_to({}, 1), 0U);
  EXPECT_EQ(grown_to({0, 0.1, 0.2, 0.30000000000000004}, 0.3), 4U) << "to rounding";
}

TEST(Chart, DashesHaveTheGivenLength) {
  const auto pieces = dashed(Line{{{0, 0}, {30, 40}, {30, 100}}, {Color{}}, 1}, 20, 10);
  ASSERT_EQ(pieces.size(), 4U);  // of 110 pixels: 20 + 10, three times, and 20
  for (const Line& piece : pieces) {
    float length = 0;
    for (std::size_t i = 1; i < piece.points.size(); ++i) {
      length += std::hypot(piece.points[i].x - piece.points[i - 1].x, piece.points[i].y - piece.points[i - 1].y);
    }
    EXPECT_NEAR(length, 20, 0.01);
  }
  EXPECT_EQ(pieces[1].points.size(), 2U);
}

/// Far outside of a picture a dash is less than the rounding of coordinates, and lengths may be infinite.
TEST(Chart, LinesWithoutEndAreDrawn) {
  for (const float far : {1e9F, 1e30F, std::numeric_limits<float>::max(), std::numeric_limits<float>::infinity()}) {
    const Line line{{{0, 0}, {far, 0}, {10, far}, {10, 0}, {10, 50}}, {Color{}}, 1};
    EXPECT_LE(dashed(line, 20, 10).size(), 10U) << far;
    EXPECT_LE(dashed(line, 0, 0).size(), 10U) << far;
    const std::vector<Point> points{{0, 0}, {10, far}, {5, 20}, {7, -far}, {90, 20}};
    EXPECT_LE(sparse_marks(points, {0, 0, 100, 50}, 0.4).size(), points.size()) << far;
  }
}

}  // namespace
}  // namespace orrery::render
