// SPDX-License-Identifier: MIT
// Pictures of several panels: snapshots at their times, complete parts, and no overlapping text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "labels.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

std::vector<std::string> words(const Drawing& drawing) {
  std::vector<std::string> all;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* text = std::get_if<Text>(&shape)) all.push_back(text->words);
  }
  return all;
}

/// The positions of bodies of that colour, from left to right.
std::vector<float> bodies(const Drawing& drawing, Color color) {
  std::vector<float> x;
  for (const Shape& shape : drawing.shapes) {
    const auto* disc = std::get_if<Disc>(&shape);
    if (disc != nullptr && disc->fill == color && disc->rim_width > 0) x.push_back(disc->center.x);
  }
  return x;
}

TEST(Snapshots, EachPanelShowsItsTime) {
  const FigureKind& kind = kind_named("snapshots");
  const TestRun run = circles(2, 101, 0.5);
  Arguments arguments = defaults(kind);
  arguments.set("times", std::vector<double>{0, 0.25, 1});
  arguments.set("columns", std::int64_t{3});
  arguments.set("limits", std::vector<double>{-1.5, 1.5, -1.5, 1.5});
  Canvas canvas({1200, 500});
  const auto figure = shown(kind, canvas, run, arguments);
  const Drawing drawing = canvas.drawing(scene_of(*figure));
  EXPECT_THAT(words(drawing), testing::IsSupersetOf({"t = 0.00", "t = 0.25", "t = 1.00"}));
  // The second body is at radius 1 and angle 1 + π t: checks its offset to the right of the panel's middle.
  const std::vector<float> x = bodies(drawing, body_color(Theme::light, 1));
  ASSERT_EQ(x.size(), 3U);
  std::vector<Box> boxes;
  for (const Shape& shape : drawing.shapes) {
    const auto* clip = std::get_if<Clip>(&shape);
    if (clip != nullptr && clip->box) boxes.push_back(*clip->box);
  }
  ASSERT_EQ(boxes.size(), 3U);
  const std::array times{0.0, 0.25, 1.0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(boxes[i].width(), boxes[0].width());
    const double right = (static_cast<double>(x[i] - boxes[i].middle()) / static_cast<double>(boxes[i].width())) * 3;
    EXPECT_NEAR(right, std::cos(1 + M_PI * times[i]), 0.02) << i;
  }
}

TEST(Snapshots, TickLabelsOfNeighboursDoNotOverlap) {
  const FigureKind& kind = kind_named("snapshots");
  const TestRun run = circles(2, 101, 0.5);
  Arguments arguments = defaults(kind);
  arguments.set("limits", std::vector<double>{-4, 4, -4, 4});
  Canvas canvas({1016, 762});
  const auto figure = shown(kind, canvas, run, arguments);
  const std::vector<std::string> all = words(canvas.drawing(scene_of(*figure)));
  EXPECT_THAT(all, testing::IsSupersetOf({"−2", "2"}));
  EXPECT_EQ(std::ranges::count(all, "−4") + std::ranges::count(all, "4"), 0);
  EXPECT_EQ(wrong_labels(canvas.drawing(scene_of(*figure))), "");
  // Ticks that would be the only ones besides 0 are kept, and panels do not overlap.
  arguments.set("limits", std::vector<double>{-5, 5, -5, 5});
  arguments.set("columns", std::int64_t{6});
  Canvas narrow({1016, 400});
  const auto again = shown(kind, narrow, run, arguments);
  EXPECT_EQ(std::ranges::count(words(narrow.drawing(scene_of(*again))), "−5"), 7) << "six below, one beside";
  EXPECT_EQ(wrong_labels(narrow.drawing(scene_of(*again))), "");
}

TEST(Snapshots, TimesAreChecked) {
  const FigureKind& kind = kind_named("snapshots");
  TestRun run = circles(2, 11);
  run.info.samples = {};  // before the run
  Canvas canvas({800, 600});
  for (const std::vector<double>& times :
       {std::vector<double>{}, std::vector<double>{0.5, 0.2}, std::vector<double>{0, 2}}) {
    Arguments arguments = defaults(kind);
    arguments.set("times", times);
    EXPECT_THROW(made(kind, canvas, run.info, arguments, whole), ArgumentError);
  }
  Arguments arguments = defaults(kind);
  arguments.set("count", std::int64_t{4});
  EXPECT_THAT(kind.moments(run.info, arguments),
              testing::ElementsAre(0, testing::DoubleEq(1 / 3.0), testing::DoubleEq(2 / 3.0), 1));
}

TEST(Snapshots, OfASingleFrameThereIsOne) {
  const FigureKind& kind = kind_named("snapshots");
  const TestRun run = circles(3, 1);
  Arguments arguments = defaults(kind);
  EXPECT_THAT(kind.moments(run.info, arguments), testing::ElementsAre(run.info.end));
  Canvas canvas({900, 600});
  const auto figure = shown(kind, canvas, run, arguments);
  EXPECT_EQ(bodies(canvas.drawing(scene_of(*figure)), body_color(Theme::light, 0)).size(), 1U);
}

TEST(Snapshots, TimesHaveEqualSizesAndFitNarrowPanels) {
  const FigureKind& kind = kind_named("snapshots");
  TestRun run = circles(3, 61);
  for (Frame& frame : run.frames) frame.time *= 1e5;
  run = settled(run);
  run.info.time_unit = "d";
  run.info.length_unit = "au";
  for (int width = 640; width <= 1200; width += 56) {
    SCOPED_TRACE(width);
    Canvas canvas({width, width * 3 / 4}, style(Theme::light, width / 1000.0));
    const auto figure = shown(kind, canvas, run, defaults(kind));
    std::vector<float> sizes;
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      const auto* text = std::get_if<Text>(&shape);
      if (text == nullptr || !text->words.starts_with("t = ")) continue;
      EXPECT_EQ(text->words.find("…"), std::string::npos) << text->words;
      sizes.push_back(text->size);
    }
    EXPECT_THAT(sizes, testing::SizeIs(6));
    EXPECT_THAT(sizes, testing::Each(sizes.front()));
  }
}

TEST(Snapshots, BodiesAreSmallerInSmallPanels) {
  const TestRun run = circles(3, 61);
  const auto largest = [&](const char* name, int panels) {
    const FigureKind& kind = kind_named(name);
    Arguments arguments = defaults(kind);
    std::vector<double> times;
    for (int k = 1; k <= panels; ++k) times.push_back(static_cast<double>(k) / panels);
    if (panels > 0) arguments.set("times", times);
    Canvas canvas({1016, 762}, style(Theme::light, 1.0));
    const auto figure = shown(kind, canvas, run, arguments);
    float radius = 0;
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      if (const auto* disc = std::get_if<Disc>(&shape))
        radius = std::max(radius, disc->rim_width > 0 ? disc->radius : 0);
    }
    return radius;
  };
  const float whole = largest("projection", 0), one = largest("snapshots", 1), six = largest("snapshots", 6);
  EXPECT_NEAR(one, whole, 0.1F * whole);
  EXPECT_LT(six, 0.75F * whole);
  EXPECT_GT(six, 0.45F * whole);
}

TEST(Snapshots, FutureTimesAreEmptyPanels) {
  const FigureKind& kind = kind_named("snapshots");
  const TestRun run = circles(1, 101);
  Arguments arguments = defaults(kind);
  arguments.set("count", std::int64_t{5});
  Canvas canvas({900, 600}, Theme::dark);
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  for (std::size_t f = 0; f <= 60; ++f) figure->show(run.frames[f]);
  EXPECT_EQ(bodies(canvas.drawing(scene_of(*figure)), body_color(Theme::dark, 0)).size(), 3U);
  EXPECT_THAT(words(canvas.drawing(scene_of(*figure))), testing::Contains("t = 1.00"));
}

TEST(Panels, HaveOneTitleAndOneTime) {
  const FigureKind& kind = kind_named("panels");
  const TestRun run = circles(3, 60);
  Canvas canvas({1280, 720}, Theme::dark);
  const auto figure = shown(kind, canvas, run, defaults(kind), Trails{0.2});
  const Drawing drawing = without_layers(canvas.drawing(scene_of(*figure)));
  std::size_t balls = 0, beyond = 0, right = 0;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* space = std::get_if<Space>(&shape)) {
      for (const Shape& flat : space->scene->shapes()) {
        const auto* ball = std::get_if<Ball>(&flat);
        if (ball == nullptr) continue;
        ++balls;
        beyond += ball->center.x + space->at.x > 640 ? 1 : 0;
      }
    }
    const auto* line = std::get_if<Line>(&shape);
    if (line != nullptr && line->points.size() > 20) right += line->points.front().x > 640 ? 1 : 0;
  }
  EXPECT_EQ(balls, 3U) << "the view";
  EXPECT_EQ(beyond, 0U) << "on the left";
  EXPECT_GT(right, 0U) << "the curve, on the right";
  const std::vector<std::string> all = words(drawing);
  EXPECT_EQ(std::ranges::count(all, "Circles"), 1);
  EXPECT_EQ(std::ranges::count(all, "t = 1.00"), 1);
  EXPECT_THAT(all, testing::Contains("t"));
}

TEST(Panels, ThreePartsLeaveNoEmptyCell) {
  const FigureKind& kind = kind_named("panels");
  const TestRun run = circles(3, 60);
  for (const std::size_t n : {3U, 4U}) {
    Arguments arguments = defaults(kind), part = defaults(kind_named("projection"));
    part.set("kind", std::string("projection"));
    arguments.set("part", std::vector<Arguments>(n, part));
    Canvas canvas({1280, 720}, Theme::light);
    const auto figure = shown(kind, canvas, run, arguments, Trails{0.2});
    std::vector<Point> middles;
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      const auto* text = std::get_if<Text>(&shape);
      if (text != nullptr && text->words == "y") middles.push_back(text->at);
    }
    ASSERT_EQ(middles.size(), n);
    const bool tall = n == 3;
    EXPECT_LT(middles[0].x, 640);
    EXPECT_NEAR(middles[0].y, tall ? 380 : 215, 30);
    EXPECT_GT(middles[1].x, 640);
    EXPECT_NEAR(middles[1].y, 215, 30);
    EXPECT_EQ(middles[2].x > 640, tall);
    EXPECT_NEAR(middles[2].y, 540, 30);
  }
}

TEST(Panels, ErrorsNameThePart) {
  const FigureKind& kind = kind_named("panels");
  const TestRun run = circles(3, 5);
  Canvas canvas({1280, 720});
  Arguments arguments = defaults(kind);
  std::vector<Arguments> parts = arguments.records("part");
  parts[0].set("follow", std::string("Vulcan"));
  std::swap(parts[0], parts[1]);
  arguments.set("part", parts);
  try {
    made(kind, canvas, run.info, arguments, whole);
    ADD_FAILURE();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), "part[1].follow");
  }
  arguments.erase("part");
  EXPECT_THROW(made(kind, canvas, run.info, arguments, whole), ArgumentError);
}

TEST(Labels, OfEveryKindDoNotOverlapOnPaperAndScreens) {
  TestRun run = circles(6, 30);
  for (Frame& frame : run.frames) {
    for (float& x : frame.position.edit()) x *= 0.0123F;
  }
  run = settled(run);
  run.info.length_unit = "kpc";
  run.info.time_unit = "Gyr";
  for (const FigureKind* kind : all_kinds()) {
    // 8.6 cm at 300 dpi, four by three; a still, a film, a small film.
    for (const Size size : {Size{1016, 762}, Size{1600, 1200}, Size{640, 360}}) {
      for (const Theme theme : {Theme::light, Theme::dark}) {
        Canvas canvas(size, theme);
        const auto figure = shown(*kind, canvas, run, defaults(*kind), theme == Theme::dark ? Trails{0.3} : whole);
        EXPECT_EQ(wrong_labels(canvas.drawing(scene_of(*figure))), "")
            << kind->name << " " << size.width << " × " << size.height;
      }
    }
  }
}

TEST(Labels, CutAndOverlappingLabelsAreDetected) {
  const FigureKind& kind = kind_named("projection");
  const TestRun run = circles(3, 9);
  Canvas canvas({640, 480});
  const auto figure = shown(kind, canvas, run, defaults(kind));
  ASSERT_EQ(wrong_labels(canvas.drawing(scene_of(*figure))), "");
  for (const float shift : {-600.F, 4.F}) {
    Drawing spoiled = canvas.drawing(scene_of(*figure));
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      const auto* text = std::get_if<Text>(&shape);
      if (text == nullptr) continue;
      Text moved = *text;
      moved.at.x += shift;
      spoiled.add(moved);
      break;
    }
    EXPECT_NE(wrong_labels(spoiled), "") << shift;
  }
}

TEST(Panels, WrongColorIsDetected) {
  // Checks the helper of the other tests: it finds the colour, and no other one.
  const FigureKind& kind = kind_named("snapshots");
  const TestRun run = circles(2, 30);
  Canvas canvas({900, 600});
  const auto figure = shown(kind, canvas, run, defaults(kind));
  Drawing drawing = canvas.drawing(scene_of(*figure));
  const Color right = body_color(Theme::light, 1), wrong = body_color(Theme::light, 2);
  EXPECT_EQ(bodies(drawing, right).size(), 6U);
  for (Shape& shape : drawing.shapes) {
    if (auto* disc = std::get_if<Disc>(&shape); disc != nullptr && disc->fill == right) disc->fill = wrong;
  }
  EXPECT_EQ(bodies(drawing, right).size(), 0U);
}

}  // namespace
}  // namespace orrery::render
