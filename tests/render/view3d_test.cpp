// SPDX-License-Identifier: MIT
// The view in space: the camera turns, near bodies hide far ones, and labels do not overlap at any angle.
#include <gtest/gtest.h>

#include "render/canvas/text.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

TEST(View3d, CameraTurnsOnceInAFilm) {
  const FigureKind& kind = kind_named("view3d");
  const TestRun run = circles(2, 9, 0);  // nothing moves but the camera
  Arguments arguments = defaults(kind);
  arguments.set("camera", std::string("orbit"));
  Canvas canvas({320, 240});
  const auto figure = kind.make(canvas, run.info, arguments, Trails{0.1});
  std::vector<std::string> pictures;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    const Image image = canvas.capture(scene_of(*figure));
    pictures.emplace_back(image.rgb.begin(), image.rgb.end());
  }
  EXPECT_NE(pictures[0], pictures[1]);
  EXPECT_NE(pictures[0], pictures[4]);
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
    const auto figure = kind.make(canvas, run.info, arguments, Trails{0.1});
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

}  // namespace
}  // namespace orrery::render
