// SPDX-License-Identifier: MIT
// The view in space: the camera turns, near bodies hide far ones, and labels do not overlap at any angle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "render/canvas/text.hpp"
#include "render/shown.hpp"
#include "render/view/body_scene.hpp"
#include "render/view/space.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

TEST(View3d, CameraTurnsOnceInAFilm) {
  const FigureKind& kind = kind_named("view3d");
  const TestRun run = circles(2, 9, 0);  // nothing moves but the camera
  Arguments arguments = defaults(kind);
  arguments.set("camera", std::string("orbit"));
  Canvas canvas({320, 240});
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  std::vector<std::string> pictures;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    const Image image = canvas.capture(scene_of(*figure));
    pictures.emplace_back(image.rgb.begin(), image.rgb.end());
  }
  EXPECT_NE(pictures[0], pictures[1]);
  EXPECT_NE(pictures[0], pictures[4]);
}

TEST(View3d, ASphereAloneIsWhole) {
  const Volume volume{{Interval{-1, 1}, Interval{-1, 1}, Interval{-1, 1}}};
  Camera camera(volume, -58, 24);
  camera.fit({0, 0, 640, 480}, false);
  for (const float radius : {3.5F, 9.F, 40.F}) {
    for (const int samples : {2, 4}) {
      BodyScene scene(camera);
      scene.add(BodyScene::Sphere{{0.31, 0.23, 0.12}, radius, {0, 110, 170}});
      const Picture picture = scene.pixels({640, 480}, samples);
      double area = 0;
      for (std::size_t k = 3; k < picture.rgba.size(); k += 4) area += picture.rgba[k] / 255.0;
      EXPECT_NEAR(area, M_PI * radius * radius, 0.04 * M_PI * radius * radius) << radius << ", " << samples;
    }
  }
}

/// OpenGL belongs to one thread, which is none of these.
TEST(View3d, ThreadsDrawScenesAtOnce) {
  const Volume volume{{Interval{-1, 1}, Interval{-1, 1}, Interval{-1, 1}}};
  const auto drawn = [&](int k) {
    Camera camera(volume, 37.0 * k, 24);
    camera.fit({0, 0, 330, 250}, false);
    BodyScene scene(camera);
    for (int i = 0; i < 9; ++i)
      scene.add(BodyScene::Sphere{{0.1 * i - 0.4, 0.07 * k, 0.05 * i}, 3.0F + static_cast<float>(k), {200, 40, 0}});
    return scene.pixels({330, 250}, 2).rgba;
  };
  std::vector<std::vector<std::uint8_t>> alone, at_once(6);
  for (int k = 0; k < 6; ++k) alone.push_back(drawn(k));
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < 6; ++k) threads.emplace_back([&, k] { at_once[static_cast<std::size_t>(k)] = drawn(k); });
  }
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_FALSE(alone[k].empty());
    EXPECT_EQ(alone[k], at_once[k]) << k;
  }
}

TEST(View3d, NearBodiesHideFarOnes) {
  const FigureKind& kind = kind_named("view3d");
  Arguments arguments = defaults(kind);
  arguments.set("azimuth", 0.0);  // the eye is at +x
  arguments.set("elevation", 0.0);
  for (const bool first_in_front : {true, false}) {
    TestRun run;
    const float x = first_in_front ? 0.9F : -0.9F;
    run.frames = {Frame{0, {x, 0, 0, -x, 0, 0, 0, 1, 1, 0, -1, -1}, {}}};
    run = settled(run);
    Canvas canvas({600, 600});
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    const int first = count(image, body_color(Theme::light, 0), 60),
              second = count(image, body_color(Theme::light, 1), 60);
    EXPECT_GT(first_in_front ? first : second, 2 * (first_in_front ? second : first));
  }
}

TEST(View3d, LabelsDoNotOverlapAtAnyAngle) {
  const FigureKind& kind = kind_named("view3d");
  TestRun run = circles(3, 73, 2);
  run.info.length_unit = "kpc";
  Arguments arguments = defaults(kind);
  arguments.set("camera", std::string("orbit"));
  for (const Size size : {Size{1280, 720}, Size{480, 480}}) {
    Canvas canvas(size);
    const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
    for (const Frame& frame : run.frames) {
      figure->show(frame);
      std::vector<Text> texts;
      for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr || text->color.alpha < 30) continue;
        const Box box = room_of(*text);
        EXPECT_TRUE(box.left >= 0 && box.top >= 0 && box.right <= static_cast<float>(size.width) &&
                    box.bottom <= static_cast<float>(size.height))
            << text->words << " at " << frame.time;
        for (const Text& other : texts) {
          const Box o = room_of(other);
          // Text fills the middle of its box: a few pixels of the margins may overlap.
          const float shared = 0.3F * text->size;
          EXPECT_TRUE(box.right <= o.left || o.right <= box.left || box.bottom <= o.top + shared ||
                      o.bottom <= box.top + shared)
              << text->words << " over " << other.words << " at " << frame.time;
        }
        texts.push_back(*text);
      }
      EXPECT_GT(texts.size(), 9U);
    }
  }
}

TEST(View3d, PathsReachTheFacesOfAPartOfTheBox) {
  // Bodies on straight lines, with and without a frame inside the visible part.
  const Volume volume{{Interval{-1, 1.1}, {-0.8, 0.9}, {0.2, 1.7}}};
  const Camera base(volume, 33, 21);
  const Place from{-3.1, -0.7, 0.3}, way{6.4, 1.5, 1.9};
  const auto place_at = [&](double t) {
    return Place{from[0] + t * way[0], from[1] + t * way[1], from[2] + t * way[2]};
  };
  const double enters = (-1 - from[0]) / way[0], leaves = (1.1 - from[0]) / way[0];  // through the faces x = −1 and 1.1
  for (const bool boxed : {false, true}) {
    for (const int frames : {2, 3, 10, 33}) {
      TestRun run;
      if (boxed)
        run.info.bounds = {
            .low = {-2, -2, -2}, .high = {2.5, 2, 2}, .closed = {true, true, true}, .periodic = {true, true, true}};
      for (int f = 0; f < frames; ++f) {
        Frame frame{.time = f / (frames - 1.0), .position = {}, .velocity = {}};
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = place_at(frame.time)[k];
          frame.position.edit().push_back(static_cast<float>(wrapped_coordinate(run.info.bounds, k, x)));
          frame.image.edit().push_back(static_cast<std::int32_t>(image_index(run.info.bounds, k, x)));
        }
        run.frames.push_back(frame);
      }
      run = settled(run);
      Canvas canvas({640, 480});
      Camera camera = base;
      camera.fit({0, 0, 640, 480}, false);
      Shown shown(canvas.style(), run.info, defaults(kind_named("view3d")), whole);
      for (const Frame& frame : run.frames) shown.take(frame);
      Drawing drawing;
      draw_in_space(drawing, shown, volume, camera, true);
      std::vector<Point> path, shadow;
      for (const Shape& shape : drawing.shapes) {
        if (const auto* line = std::get_if<Line>(&shape))
          shadow.insert(shadow.end(), line->points.begin(), line->points.end());
        const auto* space = std::get_if<Space>(&shape);
        if (space == nullptr) continue;
        for (const Shape& part : space->scene->shapes()) {
          const auto* line = std::get_if<Line>(&part);
          if (line != nullptr && line->width == canvas.style().path_line)
            path.insert(path.end(), line->points.begin(), line->points.end());
        }
      }
      for (const bool floor : {false, true}) {
        const std::vector<Point>& drawn = floor ? shadow : path;
        ASSERT_GE(drawn.size(), 2U) << boxed << frames;
        for (const double t : {enters, leaves}) {
          Place p = place_at(t);
          if (floor) p[2] = volume.limits[2].low;
          const Point expected = camera.at(p);
          double nearest = INFINITY;
          for (const Point& at : drawn)
            nearest = std::min(nearest, static_cast<double>(std::hypot(at.x - expected.x, at.y - expected.y)));
          EXPECT_LT(nearest, 0.02) << boxed << " " << frames << (floor ? " shadow" : " path");
        }
        const Point a = camera.at(floor ? Place{place_at(enters)[0], place_at(enters)[1], 0.2} : place_at(enters)),
                    b = camera.at(floor ? Place{place_at(leaves)[0], place_at(leaves)[1], 0.2} : place_at(leaves));
        for (const Point& at : drawn) {
          EXPECT_GE(at.x, std::min(a.x, b.x) - 0.02F);
          EXPECT_LE(at.x, std::max(a.x, b.x) + 0.02F) << "nothing is drawn outside";
        }
      }
    }
  }
}

}  // namespace
}  // namespace orrery::render
