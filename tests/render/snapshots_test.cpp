// SPDX-License-Identifier: MIT
// Panels of one run share limits and styles, and a time before the drawn part shows no bodies.
#include <gtest/gtest.h>

#include "render/view/paths.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

/// The number of bodies drawn at their positions, in all panels together.
std::size_t discs(const TestRun& run, const std::vector<double>& times) {
  const FigureKind& kind = kind_named("snapshots");
  Arguments arguments = defaults(kind);
  arguments.set("times", times);
  Canvas canvas({640, 480});
  const auto figure = shown(kind, canvas, run, arguments);
  std::size_t count = 0;
  for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
    const auto* disc = std::get_if<Disc>(&shape);
    count += disc != nullptr && disc->rim_width > 0 ? 1 : 0;
  }
  return count;
}

TEST(Snapshots, NoBodiesBeforeTheDrawnPart) {
  for (const bool backward : {false, true}) {
    TestRun run = circles(3, 21);
    run.frames.erase(run.frames.begin(), run.frames.begin() + 10);
    if (backward) {
      for (Frame& frame : run.frames) frame.time = -frame.time;
    }
    run = settled(run);
    const double way = backward ? -1 : 1;
    const std::size_t two = discs(run, {0.5 * way, way});
    EXPECT_GT(two, 0U);
    EXPECT_EQ(discs(run, {0.1 * way, 0.3 * way, 0.5 * way, way}), two) << backward;
    EXPECT_EQ(discs(run, {0.1 * way}), 0U) << backward;
  }
}

TEST(Snapshots, CopiesOfPathsShareTheirFrames) {
  Paths paths(whole);
  for (const Frame& frame : circles(3, 21).frames) paths.append(frame);
  const Paths copy = paths;
  EXPECT_EQ(&copy.now(), &paths.now());
  EXPECT_EQ(copy.of(1).front().size(), paths.of(1).front().size());
  paths.append(circles(3, 2).frames.back());
  EXPECT_NE(&copy.now(), &paths.now());
  EXPECT_LT(copy.of(1).front().size(), paths.of(1).front().size());
}

}  // namespace
}  // namespace orrery::render
