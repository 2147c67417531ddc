// SPDX-License-Identifier: MIT
// Frames of reference: which bodies rest, and how the others move relative to them.
#include "render/view/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/parameter.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using Vector = std::array<double, 3>;

/// Rotated about z, then about x, and shifted.
Vector placed(const Vector& v, double about, double tilt) {
  const double x = v[0] * std::cos(about) - v[1] * std::sin(about), y = v[0] * std::sin(about) + v[1] * std::cos(about);
  return {x, y * std::cos(tilt) - v[2] * std::sin(tilt), y * std::sin(tilt) + v[2] * std::cos(tilt)};
}

/// Masses 3 and 1 on circles around a drifting centre, at a distance of 2 and a rate w, in a tilted plane; and a third
/// massless body at rest at (0.3, 0.9, 0.2) in the corotating frame.
TestRun turning(int frames, double w) {
  TestRun run;
  run.info.mass = {3, 1, 0};
  run.info.names = {"A", "B, the light one", "C"};
  for (int f = 0; f < frames; ++f) {
    Frame frame;
    frame.time = 0.1 * f;
    for (const Vector& p : {Vector{-0.5, 0, 0}, Vector{1.5, 0, 0}, Vector{0.3, 0.9, 0.2}}) {
      const Vector x = placed(p, w * frame.time, 0.7), v = placed({-w * p[1], w * p[0], 0}, w * frame.time, 0.7);
      for (std::size_t k = 0; k < 3; ++k)
        frame.position.edit().push_back(static_cast<float>(x[k] + 0.2 * frame.time + 5));
      for (std::size_t k = 0; k < 3; ++k) frame.velocity.edit().push_back(static_cast<float>(v[k] + 0.2));
    }
    run.frames.push_back(frame);
  }
  return settled(run);
}

void expect_near(const std::vector<float>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(static_cast<double>(found[i]), wanted[i], tolerance) << i;
}

TEST(Reference, CorotatingBodiesAreAtRest) {
  for (const double w : {1.3, -0.4}) {
    const TestRun run = turning(40, w);
    for (const char* words : {"corotating", "corotating:A,B, the light one", "corotating:0,1"}) {
      const Reference reference(words, run.info);
      for (const Frame& frame : run.frames) {
        SCOPED_TRACE(testing::Message() << words << " " << w << " " << frame.time);
        const Frame seen = reference.seen(frame);
        // For the opposite sense of rotation it is seen from below.
        const double up = w > 0 ? 1 : -1;
        expect_near(seen.position, {-0.5, 0, 0, 1.5, 0, 0, 0.3, up * 0.9, up * 0.2}, 1e-5);
        expect_near(seen.velocity, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 1e-5);
      }
      const Extent extent = reference.extent();
      EXPECT_LT(extent.low[0], -0.5);
      EXPECT_GT(extent.high[0], 1.5);
      EXPECT_LT(extent.high[0] - extent.low[0], 2.5) << "the drift is none of it";
    }
  }
}

TEST(Reference, FirstNamedBodyIsOnTheLeft) {
  const TestRun run = turning(3, 1);
  const Frame seen = Reference("corotating:B, the light one,A", run.info).seen(run.frames[2]);
  EXPECT_NEAR(seen.position[3], -1.5, 1e-5);
  EXPECT_NEAR(seen.position[0], 0.5, 1e-5);
}

TEST(Reference, CorotatingFrameWithoutRotationIsDrawn) {
  TestRun run;
  run.info.mass = {1, 1};
  run.frames = {Frame{0, {0, 0, 1, 0, 0, 3}, {0, 0, 1, 0, 0, -1}}, Frame{1, {0, 0, 2, 0, 0, 2}, {0, 0, 0, 0, 0, 0}}};
  run = settled(run);
  const Reference reference("corotating", run.info);
  expect_near(reference.seen(run.frames[0]).position, {-1, 0, 0, 1, 0, 0}, 1e-6);
  for (const float x : reference.seen(run.frames[1]).position) EXPECT_TRUE(std::isfinite(x)) << "both in one place";
}

TEST(Reference, RefusesUnknownBodies) {
  TestRun run = turning(2, 1);
  for (const char* words : {"corotating:A", "corotating:A,A", "corotating:A,D", "corotating:", "rotating", "body:D"}) {
    EXPECT_THROW((Reference(words, run.info)), ArgumentError) << words;
  }
  TestRun alone = circles(1, 2);
  EXPECT_THROW((Reference("corotating", alone.info)), ArgumentError);
  for (Frame& frame : run.frames) frame.velocity = {};
  run.info.samples = run.frames;
  EXPECT_THROW((Reference("corotating", run.info)), ArgumentError);
}

TEST(Reference, FiguresSupportCorotatingFrames) {
  const TestRun run = turning(60, 1.3);
  for (const char* name : {"projection", "projections", "view3d"}) {
    const FigureKind& kind = kind_named(name);
    Arguments arguments = defaults(kind);
    arguments.set("frame", std::string("corotating"));
    Canvas canvas({640, 480});
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(count(image, body_color(Theme::light, i), 60), 20) << name << i;
    // No body moves, so there are no paths, only three dots.
    EXPECT_LT(count(image, body_color(Theme::light, 2), 60), 3000) << name;
  }
}

}  // namespace
}  // namespace orrery::render
