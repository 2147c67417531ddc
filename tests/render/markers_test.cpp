// SPDX-License-Identifier: MIT
// How large bodies are drawn, and which lies on which.
#include <gtest/gtest.h>

#include <vector>

#include "scene.hpp"

namespace orrery::render {
namespace {

TEST(Projection, AMoonShowsUnderASpacecraft) {
  Story run;
  run.frames = {Frame{0, {-1, 0, 0, 0.5F, 0.5F, 0, 0.5F, 0.5F, 0}, {}}};
  run.cast.mass = {1, 0.012, 0};  // the last one has no mass, and is in the same place
  run = settled(run);
  Canvas canvas({1600, 1200});
  const FigureKind& kind = kind_named("projection");
  Arguments arguments = defaults(kind);
  arguments.set("limits", std::vector<double>{-1.25, 1.25, -1.25, 1.25});
  const auto figure = shown(kind, canvas, run, arguments);
  std::vector<Disc> discs;
  for (const Shape& shape : canvas.drawing().shapes) {
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

}  // namespace
}  // namespace orrery::render
