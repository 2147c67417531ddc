// SPDX-License-Identifier: MIT
// Limits, line widths and marker sizes are as requested in every figure of curves, and nothing leaves the frame.
#include "render/chart/chart_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene.hpp"

namespace orrery::render {
namespace {

RunInfo cast() {
  RunInfo info;
  info.mass = {1, 1, 1};
  info.end = 1;
  return info;
}

std::vector<double> two(double low, double high) {
  return {low, high};
}

TEST(ChartKeys, EveryChartHasThem) {
  for (const FigureKind* kind : all_kinds()) {
    const std::vector<Parameter> keys = keys_of(*kind);
    for (const Parameter& key : chart_keys()) {
      const bool expected = !kind->needs_frames || std::ranges::count(kind->parameters, key.name, &Parameter::name) > 0;
      EXPECT_EQ(std::ranges::count(keys, key.name, &Parameter::name), expected ? 1 : 0) << kind->name << key.name;
    }
  }
}

TEST(ChartKeys, LabelsReplaceNamesButNotTheirRemarks) {
  const auto chart = [] {
    return std::vector<Chart>{{.curves = {{.name = "rk4", .remark = ", slope 4.0"},
                                          {.stroke = Curve::Stroke::dashed},
                                          {.name = "leapfrog"},
                                          {.name = "rk4", .remark = ", slope 4.0"}}}};
  };
  std::vector<Chart> charts = chart();
  Arguments arguments;
  label(charts, arguments);
  EXPECT_EQ(charts[0].curves[0].name, "rk4, slope 4.0");
  charts = chart();
  arguments.set("labels", std::vector<std::string>{"Runge–Kutta", "kick-drift-kick"});
  label(charts, arguments);
  EXPECT_EQ(charts[0].curves[0].name, "Runge–Kutta, slope 4.0");
  EXPECT_EQ(charts[0].curves[1].name, "") << "a guide";
  EXPECT_EQ(charts[0].curves[2].name, "kick-drift-kick");
  EXPECT_EQ(charts[0].curves[3].name, "Runge–Kutta, slope 4.0");
  for (const auto& wrong : {std::vector<std::string>{"a"}, {"a", "a"}, {"a", ""}, {"a", "b", "c"}, {}}) {
    charts = chart();
    arguments.set("labels", wrong);
    EXPECT_THROW(label(charts, arguments), ArgumentError) << wrong.size();
  }
  std::vector<Chart> one(1);
  one[0].curves.resize(1);
  arguments.set("labels", std::vector<std::string>{"mine"});
  label(one, arguments);
  EXPECT_EQ(one[0].curves[0].name, "mine");
}

bool of_a_curve(Color color) {
  return distance(color, body_color(Theme::light, 0)) == 0 || distance(color, body_color(Theme::light, 1)) == 0;
}

TEST(ChartKeys, LimitsAreAppliedAndCurvesClipped) {
  for (const std::string_view name : chart_names) {
    if (name == "convergence") continue;  // which has marks
    SCOPED_TRACE(name);
    const RunInfo info = cast();
    Arguments arguments;
    const bool of_radius = name == "radial-profile" || name == "rotation-curve" || name == "pair-correlation";
    arguments.set("x_limits", of_radius ? two(0.5, 1.7) : name == "phase" ? two(5, 20) : two(0.31, 0.52));
    arguments.set("marker_size", 6.0);
    for (const Trails trails : {whole, Trails{0.1}}) {
      Canvas canvas({800, 600});
      std::vector<Chart> charts = charts_for(name, info, !trails.still);
      limit(charts, arguments);
      const auto figure = made(charts, canvas, info, arguments, trails);
      Frame frame;
      frame.time = 0.9;
      figure->show(frame);
      bool cut = false;
      int curves = 0;
      for (const Shape& shape : without_layers(canvas.drawing(scene_of(*figure))).shapes) {
        if (const auto* clip = std::get_if<Clip>(&shape)) cut = clip->box.has_value();
        const auto* line = std::get_if<Line>(&shape);
        if (line == nullptr || line->points.size() < 4 || !of_a_curve(line->colors.front())) continue;
        ++curves;
        EXPECT_TRUE(cut);
      }
      EXPECT_GT(curves, 0);
    }
  }
}

/// The numbers of pixels of a colour outside the box, and inside.
std::pair<int, int> outside_and_inside(const Image& image, const Box& box, Color color) {
  std::pair<int, int> n{0, 0};
  for (int y = 0; y < image.size.height; ++y) {
    for (int x = 0; x < image.size.width; ++x) {
      const bool in = static_cast<float>(x) >= box.left - 1 && static_cast<float>(x) <= box.right + 1 &&
                      static_cast<float>(y) >= box.top - 1 && static_cast<float>(y) <= box.bottom + 1;
      if (distance(image.at(x, y), color) < 40) ++(in ? n.second : n.first);
    }
  }
  return n;
}

TEST(ChartKeys, CurvesAreClippedToTheFrame) {
  RunInfo info;
  info.end = 3;
  Curve circle;
  for (int i = 0; i < 300; ++i) {
    circle.time.push_back(0.01 * i);
    circle.x.push_back(std::cos(0.1 * i));
    circle.y.push_back(std::sin(0.1 * i));
  }
  std::vector<Chart> charts{{.curves = {circle}}};
  for (const bool moving : {false, true}) {
    Arguments arguments;
    arguments.set("x_limits", two(-0.3, 0.8));
    arguments.set("y_limits", two(-2, 0.7));
    arguments.set("marker_size", 20.0);
    arguments.set("line_width", 6.0);
    limit(charts, arguments);
    Canvas canvas({800, 600});
    const auto figure = made(charts, canvas, info, arguments, moving ? Trails{0.1} : whole);
    for (int i = 0; i < 300; i += 7) {
      Frame frame;
      frame.time = 0.01 * i;
      figure->show(frame);
      if (!moving && i > 0) break;
      const Image image = canvas.capture(scene_of(*figure));
      const auto [out, in] = outside_and_inside(image, plot_box(image, canvas.style()), body_color(Theme::light, 0));
      EXPECT_EQ(out, 0) << i;
      if (i == 0 && moving) continue;
      EXPECT_GT(in, 100) << i;
    }
  }
}

TEST(ChartKeys, YLimitsApplyToTheUppermostPanel) {
  std::vector<Chart> charts(3);
  Arguments arguments{{"x_limits", two(1, 2)}, {"y_limits", two(-3, 4)}};
  limit(charts, arguments);
  for (const Chart& chart : charts) EXPECT_EQ(chart.x.limits->high, 2);
  EXPECT_EQ(charts[0].y.limits->low, -3);
  EXPECT_FALSE(charts[1].y.limits);
  EXPECT_TRUE(charts[1].cut);
  for (std::size_t k = 0; k < 3; ++k) charts[k].moment = k < 2 ? 0 : 1;
  limit(charts, Arguments{{"y_limits", two(5, 6)}});
  EXPECT_EQ(charts[0].y.limits->low, 5);
  EXPECT_FALSE(charts[1].y.limits);
  EXPECT_EQ(charts[2].y.limits->low, 5) << "the next moment";
}

TEST(ChartKeys, InvalidLimitsAreRefused) {
  const auto said = [](const std::vector<double>& limits, const char* scale) {
    std::vector<Chart> charts(1);
    charts[0].y.logarithmic = true;
    Arguments arguments{{"y_limits", limits}};
    if (*scale != 0) arguments.set("scale", std::string(scale));
    try {
      limit(charts, arguments);
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.name(), "y_limits");
      return std::string(error.what());
    }
    return std::string(charts[0].y.logarithmic ? "logarithmic" : "linear");
  };
  EXPECT_EQ(said({2, 1}, ""), "the lower limit must be below the upper one");
  EXPECT_EQ(said({0, 1}, ""), "a logarithmic axis begins above 0: raise the lower limit");
  EXPECT_THAT(said({0, 1}, "log"), testing::HasSubstr("`scale = \"linear\"`"));
  EXPECT_EQ(said({0, 1}, "auto"), "linear");
  EXPECT_EQ(said({0.5, 1}, "auto"), "logarithmic");
}

TEST(ChartKeys, SizesAreInPoints) {
  const RunInfo info = cast();
  for (const double dpi : {150.0, 300.0}) {
    Arguments arguments;
    arguments.set("line_width", 2.0);
    arguments.set("marker_size", 8.0);
    Canvas canvas({800, 600}, Theme::light, dpi);
    const auto figure = made(charts_for("divergence", info), canvas, info, arguments);
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    int lines = 0, discs = 0;
    for (const Shape& shape : drawing.shapes) {
      const auto* line = std::get_if<Line>(&shape);
      const auto* disc = std::get_if<Disc>(&shape);
      if (line != nullptr && distance(line->colors.front(), body_color(Theme::light, 0)) == 0) {
        EXPECT_NEAR(line->width, 2 * dpi / 72, 0.01);
        ++lines;
      }
      if (disc == nullptr) continue;
      EXPECT_NEAR(disc->radius, 4 * dpi / 72, 0.01);
      ++discs;
    }
    EXPECT_GE(lines, 2) << "the curve and its sample";
    EXPECT_GE(discs, 2);
  }
  const TestRun run = circles(3, 20);
  Arguments arguments = defaults(kind_named("projection"));
  arguments.set("line_width", 2.0);
  arguments.set("marker_size", 8.0);
  Canvas canvas({800, 600}, Theme::light, 150);
  const auto figure = shown(kind_named("projection"), canvas, run, arguments);
  float widest = 0, largest = 0;
  for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
    if (const auto* line = std::get_if<Line>(&shape)) widest = std::max(widest, line->width);
    if (const auto* disc = std::get_if<Disc>(&shape)) largest = std::max(largest, disc->radius);
  }
  EXPECT_NEAR(widest, 2 * 150.0 / 72, 0.01);
  EXPECT_NEAR(largest, 4 * 150.0 / 72, 0.01);
}

}  // namespace
}  // namespace orrery::render
