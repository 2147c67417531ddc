// SPDX-License-Identifier: MIT
// Figures of selected bodies: only these are visible, they fill the picture, and each keeps its colour in every figure.
#include "render/chosen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene.hpp"

namespace orrery::render {
namespace {

constexpr const char* of_bodies[] = {"projection", "projections", "view3d", "snapshots"};

/// The colours of discs, balls and lines.
std::vector<Color> colors_of(const Drawing& drawing) {
  std::vector<Color> colors;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* disc = std::get_if<Disc>(&shape)) colors.push_back(disc->fill);
    if (const auto* ball = std::get_if<Ball>(&shape)) colors.push_back(ball->color);
    if (const auto* line = std::get_if<Line>(&shape)) colors.push_back(line->colors.front());
  }
  return colors;
}

bool shows(const Drawing& drawing, std::size_t body) {
  const Color color = body_color(Theme::light, body);
  return std::ranges::any_of(colors_of(drawing), [&](Color c) { return distance(c, color) == 0; });
}

Arguments with_bodies(const FigureKind& kind, std::vector<std::string> names) {
  Arguments arguments = defaults(kind);
  arguments.set("bodies", std::move(names));
  return arguments;
}

TEST(Chosen, OnlyTheyAreDrawnInTheirColors) {
  const TestRun run = circles(6, 40);
  for (const char* name : of_bodies) {
    const FigureKind& kind = kind_named(name);
    Canvas canvas({800, 600});
    const auto figure = shown(kind, canvas, run, with_bodies(kind, {"4", "body 1"}));
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    for (std::size_t body = 0; body < 6; ++body)
      EXPECT_EQ(shows(drawing, body), body == 1 || body == 4) << name << body;
    std::vector<std::string> words;
    for (const Shape& shape : drawing.shapes) {
      if (const auto* text = std::get_if<Text>(&shape)) words.push_back(text->words);
    }
    EXPECT_THAT(words, testing::IsSupersetOf({"body 4", "body 1"})) << name;
    EXPECT_THAT(words, testing::Not(testing::Contains("body 0"))) << name;
  }
}

TEST(Chosen, RangesAndComponents) {
  RunInfo info;
  info.mass = std::vector<double>(33, 1);
  info.species = std::vector<std::int32_t>(33, 0);
  for (const std::size_t i : {2U, 5U, 30U}) info.species.edit()[i] = 1;
  info.components = {"halo", "disk"};
  Arguments arguments;
  EXPECT_TRUE(chosen_bodies(arguments, info).empty());
  arguments.set("bodies", std::vector<std::string>{"7:9", "1", "8:10"});
  EXPECT_THAT(chosen_bodies(arguments, info), testing::ElementsAre(7, 8, 9, 1, 10));
  arguments.set("components", std::vector<std::string>{"disk"});
  EXPECT_THAT(chosen_bodies(arguments, info), testing::ElementsAre(7, 8, 9, 1, 10, 2, 5, 30));
  for (const char* wrong : {"9:7", "0:33", "33", "1:", ":2", "0:1:2", "-1", "a"}) {
    arguments.set("bodies", std::vector<std::string>{wrong});
    EXPECT_THROW(chosen_bodies(arguments, info), ArgumentError) << wrong;
  }
  arguments = Arguments();
  arguments.set("components", std::vector<std::string>{"bulge"});
  EXPECT_THROW(chosen_bodies(arguments, info), ArgumentError);
  for (const FigureKind* kind : figure_kinds()) {
    const auto keys = keys_of(*kind);
    EXPECT_EQ(std::ranges::count(keys, "components", &Parameter::name),
              std::ranges::count(keys, "bodies", &Parameter::name))
        << kind->name;
  }
}

/// The maximum number on an axis.
double largest_number(const Drawing& drawing) {
  double largest = 0;
  for (const Shape& shape : drawing.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text == nullptr || text->words.empty() || std::isdigit(static_cast<unsigned char>(text->words[0])) == 0)
      continue;
    largest = std::max(largest, std::stod(text->words));
  }
  return largest;
}

TEST(Chosen, LimitsFollowTheChosenBodies) {
  const TestRun run = circles(10, 40);  // radii 0.1 … 1
  for (const char* name : of_bodies) {
    const FigureKind& kind = kind_named(name);
    for (const bool followed : {false, true}) {
      Canvas all({800, 600}), one({800, 600});
      Arguments every = defaults(kind), inner = with_bodies(kind, {"0", "1"});
      if (followed && std::string_view(name) != "snapshots") {
        for (Arguments* a : {&every, &inner}) a->set("follow", std::string("body 2"));
      }
      const auto whole_run = shown(kind, all, run, every), some = shown(kind, one, run, inner);
      EXPECT_LT(largest_number(one.drawing(scene_of(*some))), 0.6 * largest_number(all.drawing(scene_of(*whole_run))))
          << name << followed;
    }
  }
}

/// The picture is centred on the followed body, which need not be among those shown.
TEST(Chosen, FollowedBodyNeedNotBeShown) {
  const TestRun run = circles(10, 40);
  const FigureKind& kind = kind_named("projection");
  const auto place_of = [&](std::size_t followed) {
    Canvas canvas({800, 600});
    Arguments arguments = with_bodies(kind, {"0"});
    arguments.set("follow", "body " + std::to_string(followed));
    arguments.set("limits", std::vector<double>{-3, 3, -3, 3});
    const auto figure = shown(kind, canvas, run, arguments);
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      const auto* disc = std::get_if<Disc>(&shape);
      if (disc != nullptr && distance(disc->fill, body_color(Theme::light, 0)) == 0) return disc->center;
    }
    return Point{};
  };
  const Point own = place_of(0), other = place_of(9);
  EXPECT_GT(std::hypot(own.x - other.x, own.y - other.y), 30) << "a radius of 1 apart, or 1.1";
}

TEST(Chosen, ReferenceBodyNeedNotBeShown) {
  const TestRun run = circles(4, 40);
  const FigureKind& kind = kind_named("projection");
  for (const char* frame : {"body:3", "corotating:2,3", "barycentric"}) {
    Arguments arguments = with_bodies(kind, {"0"}), all = defaults(kind);
    for (Arguments* a : {&arguments, &all}) {
      a->set("frame", std::string(frame));
      a->set("limits", std::vector<double>{-3, 3, -3, 3});
    }
    Canvas canvas({800, 600}), other({800, 600});
    const auto figure = shown(kind, canvas, run, arguments), whole_run = shown(kind, other, run, all);
    const auto path_of = [](const Drawing& drawing) {
      for (const Shape& shape : drawing.shapes) {
        const auto* line = std::get_if<Line>(&shape);
        if (line != nullptr && distance(line->colors.front(), body_color(Theme::light, 0)) == 0) return line->points;
      }
      return std::vector<Point>{};
    };
    const std::vector<Point> mine = path_of(canvas.drawing(scene_of(*figure))),
                             theirs = path_of(other.drawing(scene_of(*whole_run)));
    ASSERT_EQ(mine.size(), theirs.size()) << frame;
    ASSERT_GT(mine.size(), 10U);
    // Legends of other widths shift the panel, not the path within it.
    for (std::size_t i = 1; i < mine.size(); ++i) {
      EXPECT_NEAR(mine[i].x - mine[0].x, theirs[i].x - theirs[0].x, 0.02F * std::abs(theirs[i].x - theirs[0].x) + 1);
      EXPECT_NEAR(mine[i].y - mine[0].y, theirs[i].y - theirs[0].y, 0.02F * std::abs(theirs[i].y - theirs[0].y) + 1);
    }
  }
}

TEST(Chosen, FewOfManyBodiesHavePaths) {
  TestRun run = ball(200, 30);
  for (const char* name : of_bodies) {
    const FigureKind& kind = kind_named(name);
    Canvas canvas({800, 600});
    const auto figure = shown(kind, canvas, run, with_bodies(kind, {"5", "150"}));
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    EXPECT_TRUE(shows(drawing, 5) && shows(drawing, 150)) << name;
    EXPECT_FALSE(shows(drawing, 0)) << name;
  }
}

TEST(Chosen, EmptyAndUnknownListsAreRefused) {
  const TestRun run = circles(2, 3);
  for (const FigureKind* kind : figure_kinds()) {
    if (!kind->needs_frames || kind->name == "panels") continue;
    Canvas canvas({800, 600});
    for (const auto& names : {std::vector<std::string>{}, std::vector<std::string>{"Vulcan"}}) {
      try {
        made(*kind, canvas, run.info, with_bodies(*kind, names), whole);
        ADD_FAILURE() << kind->name;
      } catch (const ArgumentError& error) {
        EXPECT_EQ(error.name(), "bodies");
      }
    }
  }
}

TEST(Chosen, CurvesHaveTheColorsOfTheirBodies) {
  const RunInfo info;
  const auto shown_in = [&](const std::vector<std::vector<std::size_t>>& bodies) {
    Chart chart;
    for (const auto& own : bodies)
      chart.curves.push_back(
          {.name = std::to_string(own.front()), .x = {0, 1, 2}, .y = {1, 4, 2}, .time = {0, 1, 2}, .bodies = own});
    Canvas canvas({800, 600});
    const auto figure = made({chart}, canvas, info);
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    std::vector<std::size_t> colors;
    for (std::size_t body = 0; body < 7; ++body) {
      if (shows(drawing, body)) colors.push_back(body);
    }
    return colors;
  };
  EXPECT_THAT(shown_in({{5}, {2}}), testing::ElementsAre(2, 5));
  EXPECT_THAT(shown_in({{1, 6}}), testing::ElementsAre(1, 6)) << "a pair";
}

}  // namespace
}  // namespace orrery::render
