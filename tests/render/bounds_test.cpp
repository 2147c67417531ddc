// SPDX-License-Identifier: MIT
// Pictures of a box: what is shown, where paths break, and how its ends are drawn.
#include "render/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "render/canvas/image.hpp"
#include "render/view/body_scene.hpp"
#include "render/view/outliers.hpp"
#include "render/view/paths.hpp"
#include "render/view/plane.hpp"
#include "render/view/space.hpp"
#include "render/view/view_limits.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

Bounds box(std::array<bool, 3> closed, std::array<bool, 3> joined, int dimensions = 3) {
  Bounds made{.dimensions = dimensions, .closed = closed, .periodic = joined};
  for (std::size_t k = 0; k < 3; ++k) {
    made.low[k] = closed[k] ? -1 - static_cast<double>(k) : 0;
    made.high[k] = closed[k] ? 4 + static_cast<double>(k) : 0;
  }
  return made;
}

constexpr std::array all{true, true, true}, none{false, false, false};

/// Three bodies, one of which flies off along x, with or without `images`.
TestRun flight(const Bounds& bounds, double speed, bool images, int frames = 41) {
  TestRun run;
  run.info.bounds = bounds;
  for (int f = 0; f < frames; ++f) {
    Frame frame{.time = f / (frames - 1.0), .position = {}, .velocity = {}};
    for (int i = 0; i < 3; ++i) {
      const double v = i == 2 ? speed : 0.1 * i, x = 0.5 + v * frame.time;
      frame.position.edit().insert(frame.position.edit().end(), {static_cast<float>(wrapped_coordinate(bounds, 0, x)),
                                                                 0.5F * static_cast<float>(i), 0});
      frame.velocity.edit().insert(frame.velocity.edit().end(), {static_cast<float>(v), 0, 0});
      if (images)
        frame.image.edit().insert(frame.image.edit().end(),
                                  {static_cast<std::int32_t>(image_index(bounds, 0, x)), 0, 0});
    }
    run.frames.push_back(frame);
  }
  return settled(run);
}

TEST(Bounds, NearestImageAndWrapping) {
  const Bounds bounds = box({true, true, false}, {true, false, false}, 2);
  EXPECT_EQ(bounds.period(0), 5);
  EXPECT_EQ(bounds.period(1), 0);
  EXPECT_EQ(nearest(3, 5), -2);
  EXPECT_EQ(nearest(3, 0), 3);
  EXPECT_EQ(wrapped_coordinate(bounds, 0, 4.5), -0.5);
  EXPECT_EQ(wrapped_coordinate(bounds, 0, -11.5), 3.5);
  EXPECT_EQ(image_index(bounds, 0, -11.5), -3);
  EXPECT_EQ(wrapped_coordinate(bounds, 1, 7), 5) << "a wall";
  EXPECT_EQ(wrapped_coordinate(bounds, 2, 7), 7) << "no end";
  EXPECT_TRUE(std::isnan(wrapped_coordinate(bounds, 0, NAN)));
}

TEST(Bounds, DefaultLimitsAreThoseOfTheBox) {
  for (const bool joined : {true, false}) {
    const Bounds bounds = box({true, true, false}, {joined, joined, false});
    TestRun run = flight(bounds, 1, false);
    run.info.mass = {1, 1, 1};
    const Reference reference("inertial", run.info);
    Arguments keys = defaults(kind_named("view3d"));
    const Volume shown = ViewLimits(run.info, reference, keys, {0, 1, 2}, 0.34).at(&run.frames.back());
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(shown.limits[k].low, bounds.low[k]);
      EXPECT_EQ(shown.limits[k].high, bounds.high[k]);
    }
    EXPECT_LT(shown.limits[2].low, 0) << "open as ever";
    EXPECT_LT(shown.limits[2].length(), 5);
    keys.set("limits", std::vector<double>{0, 1, -7, 9, 2, 3});
    const Volume asked = ViewLimits(run.info, reference, keys, {0, 1, 2}, 0.34).at(&run.frames.back());
    EXPECT_EQ(asked.limits[0].high, 1);
    EXPECT_EQ(asked.limits[1].low, -7);
  }
}

TEST(Bounds, NoBodyOfABoxIsAnOutlier) {
  for (const bool closed : {false, true}) {
    const Bounds bounds = box({closed, closed, closed}, none);
    TestRun run = flight({}, 60, false, 400);
    run.info.bounds = bounds;
    run.info.mass = {1, 1, 1};
    const Reference reference("inertial", run.info);
    EXPECT_EQ(reference.extent().high[0] > 60, closed);
    // For many bodies the outermost hundredth is left out along unbounded axes.
    TestRun crowd = ball(1000);
    for (std::size_t i = 0; i < 5; ++i) crowd.frames[0].position.edit()[3 * i] = 90;
    crowd = settled(crowd);
    crowd.info.bounds = bounds;
    EXPECT_EQ(Reference("inertial", crowd.info).extent().high[0] > 80, closed);
  }
}

/// Checks that no piece of a path leaves the box or jumps; returns the total length.
double length_of(const std::vector<PathPiece>& strands, const Bounds& bounds) {
  double length = 0;
  for (const PathPiece& strand : strands) {
    for (std::size_t i = 0; i < strand.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (!bounds.closed[k]) continue;
        EXPECT_GE(strand[i].at[k], bounds.low[k]);
        EXPECT_LE(strand[i].at[k], bounds.high[k]);
      }
      if (i == 0) continue;
      const auto &a = strand[i - 1].at, &b = strand[i].at;
      const double step = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      EXPECT_LT(step, 2);
      length += step;
    }
  }
  return length;
}

TEST(Bounds, PathsBreakAtPeriodicEdges) {
  const Bounds bounds = box(all, all);
  for (const bool images : {false, true}) {
    for (const double speed : {32.0, -32.0}) {
      const TestRun run = flight(bounds, speed, images);
      Paths paths(whole, bounds);
      for (const Frame& frame : run.frames) paths.append(frame);
      const auto strands = paths.of(2);
      EXPECT_EQ(strands.size(), speed > 0 ? 7U : 8U);
      EXPECT_NEAR(length_of(strands, bounds), 32, 1e-4);
      // Each piece but the last ends at one end of the box, and the next begins at the other.
      for (std::size_t s = 1; s < strands.size(); ++s) {
        EXPECT_NEAR(strands[s - 1].back().at[0], speed > 0 ? 4 : -1, 1e-5);
        EXPECT_NEAR(strands[s].front().at[0], speed > 0 ? -1 : 4, 1e-5);
      }
      EXPECT_EQ(paths.of(1).size(), 1U);
    }
  }
  // A body faster than half a box per frame can only be followed by its images.
  const TestRun fast = flight(bounds, 32, true, 9);
  Paths paths(whole, bounds);
  for (const Frame& frame : fast.frames) paths.append(frame);
  EXPECT_EQ(paths.of(2).size(), 7U);
  // Without a box there are no breaks.
  Paths open(whole);
  for (Frame frame : fast.frames) {
    frame.image.edit().clear();
    open.append(frame);
  }
  EXPECT_EQ(open.of(2).size(), 1U);
}

TEST(Bounds, PathNearACornerIsDividedAtEachEdge) {
  const Bounds bounds = box(all, all);
  const Place from{3.1, 4.2, 5.3}, velocity{1.3, 1.7, 1.9};
  for (const bool velocities : {false, true}) {
    Paths paths(whole, bounds);
    for (const double t : {0.0, 1.0}) {
      Frame frame{.time = t, .position = {}, .velocity = {}};
      for (std::size_t k = 0; k < 3; ++k) {
        const double x = from[k] + t * velocity[k];
        frame.position.edit().push_back(static_cast<float>(wrapped_coordinate(bounds, k, x)));
        if (velocities) frame.velocity.edit().push_back(static_cast<float>(velocity[k]));
        frame.image.edit().push_back(static_cast<std::int32_t>(image_index(bounds, k, x)));
      }
      paths.append(frame);
    }
    const auto pieces = paths.of(0);
    ASSERT_EQ(pieces.size(), 4U);
    Place laps{};
    std::size_t piece = 0;
    for (const std::size_t axis : {2U, 1U, 0U}) {  // in the order in which they are crossed
      const double t = (bounds.high[axis] - from[axis]) / velocity[axis];
      const auto expect_at = [&](const Waypoint& w) {
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(static_cast<double>(w.at[k]), from[k] + t * velocity[k] - laps[k] * bounds.period(k), 2e-6)
              << axis << k;
        }
      };
      expect_at(pieces[piece].back());
      laps[axis] = 1;
      expect_at(pieces[++piece].front());
    }
  }
}

TEST(Bounds, PathAcrossACornerStaysInTheBox) {
  const Bounds bounds = box(all, {true, true, false});
  Paths paths(whole, bounds);
  const auto append = [&](double t, double x, double y, double vx, double vy) {
    Frame frame{.time = t, .position = {}, .velocity = {}};
    for (const double q : {wrapped_coordinate(bounds, 0, x), wrapped_coordinate(bounds, 1, y), 0.0})
      frame.position.edit().push_back(static_cast<float>(q));
    for (const double q : {vx, vy, 0.0}) frame.velocity.edit().push_back(static_cast<float>(q));
    paths.append(frame);
  };
  append(0, 3.5, 4.5, 1, 1);
  append(1, 4.5, 5.5, 1, 1);    // through the corner
  append(2, 4.2, 4.8, -1, -1);  // out and back
  append(3, 3.9, 4.9, 1, 1);
  length_of(paths.of(0), bounds);
  EXPECT_GE(paths.of(0).size(), 3U);
}

TEST(Bounds, MovingReferenceShowsNearestImages) {
  const Bounds bounds = box(all, all);
  const TestRun run = flight(bounds, 32, true);
  const Reference reference("body:2", run.info);
  EXPECT_EQ(reference.bounds().low[0], -2.5);
  for (const Frame& frame : run.frames) {
    const Frame seen = reference.seen(frame);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(seen.position[3 * i]), 2.5F);
      // With its images, a body is where it would be without a box.
      const double way = i == 2 ? 0 : (0.1 * static_cast<double>(i) - 32) * frame.time;
      EXPECT_NEAR(static_cast<double>(seen.position[3 * i]) + 5 * seen.image[3 * i], way, 1e-4) << frame.time;
    }
  }
  // Therefore paths show bodies that move by more than half a box between two frames.
  const TestRun fast = flight(bounds, 32, true, 9);
  const Reference riding("body:2", fast.info);
  Paths paths(whole, riding.bounds());
  for (const Frame& frame : fast.frames) paths.append(riding.seen(frame));
  EXPECT_EQ(paths.of(1).size(), 7U) << "falls behind by 31.9 and crosses an end at 2.5, 7.5, … 27.5";
}

TEST(Bounds, PathsInARotatingFrameHaveNoLineAcrossTheBox) {
  // Two bodies about each other, and one that passes through the box.
  const Bounds bounds = box(all, all);
  TestRun run;
  run.info.bounds = bounds;
  for (int f = 0; f <= 40; ++f) {
    const double t = f / 40.0, c = std::cos(2.3 * t), s = std::sin(2.3 * t);
    Frame frame{.time = t, .position = {}, .velocity = {}};
    const std::array<Place, 3> at{Place{0.3 * c, 0.3 * s, 1}, {-0.3 * c, -0.3 * s, 1}, {1 + 7 * t, 0.4 - 3 * t, 2}};
    const std::array<Place, 3> v{Place{-0.69 * s, 0.69 * c, 0}, {0.69 * s, -0.69 * c, 0}, {7, -3, 0}};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        frame.position.edit().push_back(static_cast<float>(wrapped_coordinate(bounds, k, at[i][k])));
        frame.velocity.edit().push_back(static_cast<float>(v[i][k]));
        frame.image.edit().push_back(static_cast<std::int32_t>(image_index(bounds, k, at[i][k])));
      }
    }
    run.frames.push_back(frame);
  }
  run = settled(run);
  const Reference reference("corotating:0,1", run.info);
  Paths paths(whole, reference.bounds());
  for (const Frame& frame : run.frames) paths.append(reference.seen(frame));
  EXPECT_EQ(paths.of(0).size(), 1U);
  const auto pieces = paths.of(2);
  EXPECT_EQ(pieces.size(), 3U) << "half a box from the origin: along x at 2.5 and 7.5, but only to −2.6 along y";
  for (const PathPiece& piece : pieces) {
    for (std::size_t i = 1; i < piece.size(); ++i) {
      double way = 0;
      for (std::size_t k = 0; k < 3; ++k)
        way += std::pow(static_cast<double>(piece[i].at[k]) - static_cast<double>(piece[i - 1].at[k]), 2);
      EXPECT_LT(std::sqrt(way), 1) << i;
    }
  }
}

TEST(Bounds, CentreOfMassIsContinuousAcrossPeriodicEdges) {
  const Bounds bounds = box(all, all);
  TestRun run = flight(bounds, 32, true);
  run.info.mass = {1, 1, 2};
  const Reference reference("barycentric", run.info);
  for (const Frame& frame : run.frames) {
    // The centre of mass moves at (0 + 0.1 + 2·32)/4, so the first body falls behind at that speed.
    const double way = 0 - (0.1 + 64) / 4 * frame.time;
    EXPECT_NEAR(nearest(static_cast<double>(reference.seen(frame).position[0]) - way, 5), 0, 1e-4) << frame.time;
  }
  run = flight(bounds, 32, false);
  EXPECT_THROW(Reference("barycentric", run.info), ArgumentError);
}

/// Single line segments, in the colour of walls or nearly so.
std::size_t edges_of(const Drawing& drawing) {
  return static_cast<std::size_t>(
      std::ranges::count_if(drawing.shapes, [](const Shape& shape) { return std::holds_alternative<Line>(shape); }));
}

TEST(Bounds, WallsAreSolidAndPeriodicEdgesDashed) {
  Canvas canvas({400, 400});
  const Style& style = canvas.style();
  const auto drawn = [&](const Bounds& bounds, Interval x, Interval y) {
    Drawing drawing{.size = {400, 400}, .background = {}, .shapes = {}};
    Axis right, up;
    right.limits = x, up.limits = y;
    draw_edges(drawing, style, Panel(style, {0, 0, 400, 400}, right, up), {}, bounds);
    return edges_of(drawing);
  };
  const Bounds walls = box(all, none), joined = box(all, all);
  EXPECT_EQ(drawn(walls, {-2, 6}, {-3, 7}), 4U);
  EXPECT_GT(drawn(joined, {-2, 6}, {-3, 7}), 40U);
  EXPECT_EQ(drawn(walls, {-1, 4}, {-2, 5}), 0U) << "the frame draws them";
  EXPECT_EQ(drawn(walls, {0, 6}, {-1, 4}), 1U) << "of the others nothing is seen";
  EXPECT_EQ(drawn(box({true, false, false}, none), {-2, 6}, {-3, 7}), 2U);
  EXPECT_EQ(drawn({}, {-2, 6}, {-3, 7}), 0U);

  const auto in_space = [&](const Bounds& bounds, bool front) {
    Drawing drawing{.size = {400, 400}, .background = {}, .shapes = {}};
    const Volume volume{{Interval{-9, 9}, Interval{-9, 9}, Interval{-9, 9}}};
    Camera camera(volume, -58, 24);
    camera.fit({0, 0, 400, 400}, false);
    draw_edges(drawing, style, volume, camera, bounds, front);
    return edges_of(drawing);
  };
  EXPECT_EQ(in_space(walls, false), 9U);
  EXPECT_EQ(in_space(walls, true), 3U);
  EXPECT_EQ(in_space(box({true, true, false}, none, 2), false), 4U);
  EXPECT_EQ(in_space({}, false), 0U);
}

TEST(Bounds, BodiesHideEdgesBehindThem) {
  const Volume volume{{Interval{-9, 9}, Interval{-9, 9}, Interval{-9, 9}}};
  Camera camera(volume, 0, 0);  // looks along -x
  camera.fit({0, 0, 400, 400}, false);
  const Bounds walls = box(all, none);
  const auto picture = [&](double x, bool with_edges) {
    const auto scene = std::make_shared<BodyScene>(camera);
    if (with_edges) add_edges(*scene, Canvas({400, 400}).style(), volume, camera, walls);
    scene->add(BodyScene::Sphere{{x, walls.low[1], walls.low[2]}, 30, {200, 0, 0}});  // on an edge along x
    Drawing drawing{.size = {400, 400}, .background = {255, 255, 255}, .shapes = {}};
    drawing.add(Space{scene});
    return rasterised(drawing).rgb;
  };
  /// The number of pixels in which edges are seen.
  const auto seen = [&](double x) {
    const auto with = picture(x, true), without = picture(x, false);
    int pixels = 0;
    for (std::size_t i = 0; i < with.size(); i += 3) pixels += std::abs(with[i] - without[i]) > 40 ? 1 : 0;
    return pixels;
  };
  EXPECT_GT(seen(-8.9), seen(8.9) + 10) << "edges in front of the body are seen";
}

}  // namespace
}  // namespace orrery::render
