// SPDX-License-Identifier: MIT
// The size of drawn bodies, and which one is on top.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "scene.hpp"

namespace orrery::render {
namespace {

TEST(Projection, MoonIsVisibleBelowASpacecraft) {
  TestRun run;
  run.frames = {Frame{0, {-1, 0, 0, 0.5F, 0.5F, 0, 0.5F, 0.5F, 0}, {}}};
  run.info.mass = {1, 0.012, 0};  // the last one has no mass, and is in the same place
  run = settled(run);
  Canvas canvas({1600, 1200});
  const FigureKind& kind = kind_named("projection");
  Arguments arguments = defaults(kind);
  arguments.set("limits", std::vector<double>{-1.25, 1.25, -1.25, 1.25});
  const auto figure = shown(kind, canvas, run, arguments);
  std::vector<Disc> discs;
  for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
    const auto* disc = std::get_if<Disc>(&shape);
    if (disc != nullptr && disc->rim_width > 0) discs.push_back(*disc);  // those of the legend have no rim
  }
  ASSERT_GE(discs.size(), 3U);
  const Disc &craft = discs.back(), &moon = discs[discs.size() - 2];
  EXPECT_EQ(craft.fill, body_color(Theme::light, 2)) << "on top";
  EXPECT_EQ(moon.fill, body_color(Theme::light, 1));
  EXPECT_EQ(craft.center.x, moon.center.x);
  EXPECT_GT(moon.radius - moon.rim_width / 2, craft.radius + craft.rim_width / 2 + 1.5F) << "a ring of it is seen";
  EXPECT_GT(craft.radius - craft.rim_width / 2, 3);
}

/// The minimum radius of all bodies, inside the rim; `bodies` gets their number.
float min_radius(const Drawing& drawing, std::size_t& bodies) {
  std::vector<float> all;
  const auto add = [&all](const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      if (const auto* disc = std::get_if<Disc>(&shape)) all.push_back(disc->radius - disc->rim_width / 2);
      if (const auto* ball = std::get_if<Ball>(&shape)) all.push_back(ball->radius);
    }
  };
  add(drawing.shapes);
  for (const Shape& shape : drawing.shapes) {
    if (const auto* space = std::get_if<Space>(&shape)) add(space->scene->shapes());
  }
  bodies = all.size();
  return all.empty() ? 0 : *std::ranges::min_element(all);
}

TEST(Markers, BodiesInFilmsAreThreePixelsAcross) {
  TestRun run = circles(9, 30);
  run.info.mass.edit().assign(9, 0);
  run.info.mass.edit().front() = 1;
  run.info.names = {};
  run = settled(run);
  std::size_t bodies = 0;
  for (const char* name : {"projection", "projections", "snapshots", "view3d"}) {
    for (const Size size : {Size{64, 64}, Size{200, 200}, Size{480, 270}, Size{1920, 1080}}) {
      Canvas film(size, Theme::dark, 96, Lettering::of_film);
      const FigureKind& kind = kind_named(name);
      Arguments arguments = defaults(kind);
      if (arguments.has("zoom")) arguments.set("zoom", 0.2);  // from afar
      const auto figure = shown(kind, film, run, arguments, Trails{0.3, false});
      EXPECT_GE(min_radius(film.drawing(scene_of(*figure)), bodies), 1.499F) << name << " " << size.width;
      EXPECT_GE(bodies, 9U) << name;
    }
  }
  Canvas still({480, 270}), film({480, 270}, Theme::light, 96, Lettering::of_film);
  const FigureKind& kind = kind_named("projections");
  const Trails trails{0.3, false};
  const auto small = shown(kind, still, run, defaults(kind), trails);
  const auto large = shown(kind, film, run, defaults(kind), trails);
  EXPECT_LT(min_radius(still.drawing(scene_of(*small)), bodies), min_radius(film.drawing(scene_of(*large)), bodies));
}

}  // namespace
}  // namespace orrery::render
