// SPDX-License-Identifier: MIT
// Every figure shows its data: colours at their places, for every theme, size and number of bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "scene.hpp"

namespace orrery::render {
namespace {

constexpr std::array themes{Theme::light, Theme::dark};

/// Square limits around the origin, so that a test can compute where a position is drawn.
Arguments unit_square(const FigureKind& kind) {
  Arguments arguments = defaults(kind);
  arguments.set("limits", std::vector<double>{-1.25, 1.25, -1.25, 1.25});
  return arguments;
}

double across(double x) {
  return (x + 1.25) / 2.5;
}

TEST(Figures, EveryKindDescribesItself) {
  std::vector<std::string_view> names;
  for (const FigureKind* kind : figure_kinds()) {
    EXPECT_FALSE(kind->name.empty());
    EXPECT_FALSE(kind->meaning.empty());
    EXPECT_THAT(names, testing::Not(testing::Contains(kind->name)));
    names.push_back(kind->name);
    for (const Parameter& p : kind->parameters) {
      EXPECT_FALSE(p.meaning.empty()) << kind->name << "." << p.name;
      EXPECT_TRUE(p.optional || !p.fallback.empty()) << kind->name << "." << p.name;
    }
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"projection", "projections", "view3d", "density", "snapshots", "panels"}));
}

TEST(Figures, EveryKindDrawsItsCurvesOnBothThemes) {
  TestRun run = circles(3, 200);
  for (const FigureKind* kind : all_kinds()) {
    for (const Theme theme : themes) {
      SCOPED_TRACE(std::string(kind->name) + (theme == Theme::light ? " light" : " dark"));
      Canvas canvas({800, 600}, theme);
      const auto figure = shown(*kind, canvas, run, defaults(*kind));
      const Image image = canvas.capture(scene_of(*figure));
      ASSERT_EQ(image.size, (Size{800, 600}));
      EXPECT_EQ(distance(image.at(1, 1), canvas.style().background), 0);
      EXPECT_GT(count(image, canvas.style().ink, 40), 300) << "title and labels";
      constexpr std::string_view alone[] = {"virial", "energy-error", "pair-correlation", "thermodynamics"};
      const std::size_t colors = kind->name == "density" || kind->name == "matrix"         ? 0
                                 : std::ranges::find(alone, kind->name) != std::end(alone) ? 1
                                 : kind->needs_frames                                      ? 3
                                                                                           : 2;
      for (std::size_t i = 0; i < colors; ++i)
        EXPECT_GT(count(image, body_color(theme, i), 40), kind->name == "panels" ? 100 : 200) << i;
    }
  }
}

TEST(Projection, BodiesHaveTheirPositionsAndColors) {
  const FigureKind& kind = kind_named("projection");
  TestRun run;
  run.frames = {Frame{0, {0.5F, -0.25F, 0.9F, -0.75F, 1, 0.1F, 0, 0.5F, -0.9F}, {}}};
  run = settled(run);
  const std::array<std::pair<const char*, std::array<std::size_t, 2>>, 3> planes{
      {{"xy", {0, 1}}, {"xz", {0, 2}}, {"yz", {1, 2}}}};
  for (const auto& [plane, axes] : planes) {
    for (const Theme theme : themes) {
      Canvas canvas({800, 600}, theme);
      Arguments arguments = unit_square(kind);
      arguments.set("plane", std::string(plane));
      const auto figure = shown(kind, canvas, run, arguments);
      const Image image = canvas.capture(scene_of(*figure));
      const Box box = plot_box(image, canvas.style());
      EXPECT_NEAR(box.width(), box.height(), 1.5F) << "equal aspect";
      for (std::size_t i = 0; i < 3; ++i) {
        const auto x = static_cast<double>(run.frames[0].position[3 * i + axes[0]]);
        const auto y = static_cast<double>(run.frames[0].position[3 * i + axes[1]]);
        EXPECT_LE(distance(pixel(image, box, across(x), across(y)), body_color(theme, i)), 4) << plane << i;
      }
      EXPECT_EQ(distance(pixel(image, box, 0.96, 0.04), canvas.style().background), 0) << "nothing in the corner";
    }
  }
}

TEST(Projection, StillHasTheWholePathAndAStartMarker) {
  const FigureKind& kind = kind_named("projection");
  const TestRun run = circles(1, 30, 0.5);  // half a circle of radius 1, from (1, 0) over (0, 1) to (-1, 0)
  Canvas canvas({1000, 1000});
  const auto figure = shown(kind, canvas, run, unit_square(kind));
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  const Color color = body_color(Theme::light, 0);
  for (const double degrees : {20.0, 51.0, 90.0, 128.0, 160.0}) {
    const double a = degrees * M_PI / 180;
    EXPECT_LT(distance(pixel(image, box, across(std::cos(a)), across(std::sin(a))), color), 90) << degrees;
    EXPECT_GT(distance(pixel(image, box, across(std::cos(a)), across(-std::sin(a))), color), 90) << degrees;
  }
  EXPECT_LE(distance(pixel(image, box, across(-1), across(0)), color), 2) << "the body is a full disc";
  EXPECT_EQ(distance(pixel(image, box, across(1), across(0)), canvas.style().background), 0) << "its start is hollow";
}

TEST(Projection, PathIsInterpolatedWithVelocities) {
  const FigureKind& kind = kind_named("projection");
  const TestRun run = circles(1, 13, 1);  // a polygon of twelve corners, were it not for the velocities
  Canvas canvas({1000, 1000});
  const auto figure = shown(kind, canvas, run, unit_square(kind));
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  const double a = M_PI / 12;
  EXPECT_LT(distance(pixel(image, box, across(std::cos(a)), across(std::sin(a))), body_color(Theme::light, 0)), 90);
}

TEST(Projection, ATrailFadesWithAge) {
  const FigureKind& kind = kind_named("projection");
  const TestRun run = circles(1, 201, 0.75);
  Canvas canvas({1000, 1000}, Theme::dark);
  const auto figure = shown(kind, canvas, run, unit_square(kind), Trails{1.0 / 3});  // a quarter of a turn
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  const auto brightness = [&](double degrees) {
    const double a = degrees * M_PI / 180;
    return distance(pixel(image, box, across(std::cos(a)), across(std::sin(a))), canvas.style().background);
  };
  EXPECT_GT(brightness(255), brightness(225) + 20);
  EXPECT_GT(brightness(225), brightness(195) + 20);
  EXPECT_LT(brightness(160), 4) << "older than the trail is long";
  EXPECT_LT(brightness(12), 4) << "a film has no ring at the start";
}

TEST(Projection, ReferenceBodyIsAtRest) {
  const FigureKind& kind = kind_named("projection");
  TestRun run = circles(2, 41, 0.4, 0);
  for (Frame& frame : run.frames) {  // everything drifts
    for (std::size_t i = 0; i < 2; ++i) frame.position.edit()[3 * i] += static_cast<float>(5 * frame.time);
  }
  run = settled(run);
  for (const std::string frame : {"body:body 1", "body:1"}) {
    Canvas canvas({800, 600});
    Arguments arguments = unit_square(kind);
    arguments.set("frame", frame);
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    EXPECT_LE(distance(pixel(image, plot_box(image, canvas.style()), 0.5, 0.5), body_color(Theme::light, 1)), 2);
  }
  run.info.mass = {1, 0};  // then the first body is the centre of mass
  Canvas canvas({800, 600});
  Arguments arguments = unit_square(kind);
  arguments.set("frame", std::string("barycentric"));
  const auto figure = shown(kind, canvas, run, arguments);
  const Image image = canvas.capture(scene_of(*figure));
  EXPECT_LE(distance(pixel(image, plot_box(image, canvas.style()), 0.5, 0.5), body_color(Theme::light, 0)), 2);
}

TEST(Projection, InvalidArgumentsAreNamed) {
  const TestRun run = circles(2, 3);
  Canvas canvas({640, 480});
  for (const FigureKind* kind : {&kind_named("projection"), &kind_named("projections"), &kind_named("view3d")}) {
    for (const std::string frame : {"body:Vulcan", "body:2", "rotating", ""}) {
      Arguments arguments = defaults(*kind);
      arguments.set("frame", frame);
      try {
        made(*kind, canvas, run.info, arguments, whole);
        ADD_FAILURE() << frame;
      } catch (const ArgumentError& error) {
        EXPECT_EQ(error.name(), "frame");
      }
    }
    Arguments arguments = defaults(*kind);
    arguments.set("limits", std::vector<double>{1, -1, 0, 1, 0, 1});
    EXPECT_THROW(made(*kind, canvas, run.info, arguments, whole), ArgumentError);
  }
}

TEST(Figures, ManyBodiesAreDrawnWithoutPathsInComponentColors) {
  const TestRun run = ball(10000, 2);
  for (const char* name : {"projection", "projections", "view3d"}) {
    for (const Theme theme : themes) {
      Canvas canvas({800, 600}, theme);
      const auto figure = shown(kind_named(name), canvas, run, defaults(kind_named(name)));
      const Image image = canvas.capture(scene_of(*figure));
      EXPECT_GT(count(image, body_color(theme, 0), 60), 200) << name;
      EXPECT_GT(count(image, body_color(theme, 1), 60), 200) << name;
      for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
        const auto* line = std::get_if<Line>(&shape);
        EXPECT_LT(line == nullptr ? 0U : line->points.size(), 10U) << name;
      }
    }
  }
}

TEST(Figures, UnusualRunsAreDrawn) {
  std::vector<TestRun> runs;
  runs.push_back(circles(1, 1));                                      // one body, one frame
  runs.push_back(circles(40, 5));                                     // more than a legend holds
  runs.push_back(settled({{}, {Frame{0, {0, 0, 0, 0, 0, 0}, {}}}}));  // all at the origin
  runs.push_back(settled({{}, {Frame{0, {1e6F, 1e6F, 1e6F}, {}}, Frame{1, {1e6F, 1e6F, 1e6F}, {}}}}));  // and elsewhere
  runs.push_back(circles(2, 9));
  runs.back().info.names = {};
  runs.back().info.title.clear();
  runs.push_back(circles(3, 9));
  runs.back().info.names = {"a name that is longer than any legend has room for", "", "ζ <&> \"Ret\""};
  runs.back().info.title = "A title that goes on and on, far beyond what the width of any canvas could ever hold";
  runs.back().info.length_unit = "km";
  for (Frame& frame : runs.back().frames) {
    for (float& x : frame.position.edit()) x *= 1.5e8F;
  }
  runs.back() = settled(runs.back());
  runs.push_back(circles(2, 9));
  runs.back().frames.back().position.edit()[2] = std::numeric_limits<float>::infinity();  // beyond the range of float
  runs.push_back(circles(2, 9));
  for (float& x : runs.back().frames.back().position.edit()) x = std::nanf("");
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const FigureKind* kind : all_kinds()) {
      const TestRun& run = runs[r];
      for (const Size size : {Size{800, 600}, Size{240, 180}, Size{200, 600}}) {
        for (const Trails trails : {whole, Trails{0.2}, Trails{0}}) {
          Canvas canvas(size);
          const auto figure = shown(*kind, canvas, run, defaults(*kind), trails);
          EXPECT_GT(count(canvas.capture(scene_of(*figure)), canvas.style().ink, 60), 12) << r << kind->name;
        }
      }
    }
  }
}

TEST(Figures, ShowingFramesIsFast) {
  const TestRun run = circles(6, 20000, 50);
  const FigureKind& kind = kind_named("projection");
  Canvas canvas({800, 600});
  const std::clock_t start = std::clock();  // of a processor, which other tests share
  const auto figure = shown(kind, canvas, run, defaults(kind));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 2);
  std::size_t points = 0;
  for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
    if (const auto* line = std::get_if<Line>(&shape)) points += line->points.size();
  }
  EXPECT_LT(points, 60000U) << "120 000 vertices are thinned for the printer";
}

}  // namespace
}  // namespace orrery::render
