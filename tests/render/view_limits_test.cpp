// SPDX-License-Identifier: MIT
// Cameras: a followed body stays in the middle, moving limits contain all bodies, key frames are reached.
#include "render/view/view_limits.hpp"

#include <gtest/gtest.h>

#include "render/point_cloud/knn_density.hpp"
#include "render/view/camera_path.hpp"
#include "render/view/outliers.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

/// Three bodies that rotate and drift, the last one moving outwards.
TestRun drifting(int frames = 81) {
  TestRun run = circles(3, frames, 2.3);
  for (Frame& frame : run.frames) {
    const auto t = static_cast<float>(frame.time);
    for (std::size_t i = 0; i < 3; ++i) {
      frame.position.edit()[3 * i] += 4 * t;
      frame.position.edit()[3 * i + 1] -= 3 * t;
    }
    for (std::size_t k = 0; k < 3; ++k) frame.position.edit()[6 + k] *= 1 + t;
  }
  run.info.mass = {1, 2, 3};
  return settled(run);
}

/// The centre of the body of that colour in pixels; trails must have other colours.
Point found(const std::vector<Shape>& shapes, Color color) {
  Point at{-1, -1};
  for (const Shape& shape : shapes) {
    if (const auto* space = std::get_if<Space>(&shape)) at = found(space->scene->shapes(), color);
    if (const auto* disc = std::get_if<Disc>(&shape); disc != nullptr && disc->fill == color && disc->rim_width > 0)
      at = disc->center;
    if (const auto* ball = std::get_if<Ball>(&shape); ball != nullptr && ball->color == color) at = ball->center;
  }
  return at;
}

/// The frame of a plane's panel: the widest outline.
Box outline(const Drawing& drawing) {
  Box box{};
  for (const Shape& shape : drawing.shapes) {
    const auto* clip = std::get_if<Clip>(&shape);
    if (clip != nullptr && clip->box && clip->box->width() > box.width()) box = *clip->box;
  }
  return box;
}

TEST(ViewLimits, FollowedBodyStaysInTheCentre) {
  const TestRun run = drifting();
  for (const char* name : {"projection", "view3d"}) {
    for (const char* frame_limits : {"fixed", "follow"}) {
      const FigureKind& kind = kind_named(name);
      Arguments arguments = defaults(kind);
      arguments.set("follow", std::string("body 1"));
      arguments.set("frame_limits", std::string(frame_limits));
      arguments.set("zoom", 1.5);
      Canvas canvas({640, 480}, Theme::dark);
      const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
      std::optional<Point> first;
      for (const Frame& frame : run.frames) {
        figure->show(frame);
        const Drawing drawing = canvas.drawing(scene_of(*figure));
        const Point at = found(drawing.shapes, body_color(Theme::dark, 1));
        if (!first) first = at;
        EXPECT_GT(at.x, 0) << "drawn";
        EXPECT_NEAR(at.x, first->x, 1) << name << frame_limits << frame.time;
        EXPECT_NEAR(at.y, first->y, 1) << name << frame_limits << frame.time;
        if (kind.name != "projection") continue;
        const Box box = outline(drawing);
        EXPECT_NEAR(at.x, box.middle(), 1);
        EXPECT_NEAR(at.y, (box.top + box.bottom) / 2, 1);
      }
    }
  }
}

TEST(ViewLimits, CentreOfMassIsFollowed) {
  const TestRun run = drifting();
  const Reference reference("inertial", run.info);
  Arguments arguments = defaults(kind_named("view3d"));
  arguments.set("follow", std::string("center-of-mass"));
  const ViewLimits view_limits(run.info, reference, arguments, {0, 1, 2}, 0.3);
  for (const Frame& frame : run.frames) {
    const Place middle = view_limits.at(&frame).middle();
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += run.info.mass[i] * static_cast<double>(frame.position[3 * i + k]) / 6;
      EXPECT_NEAR(middle[k], sum, 1e-6);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Volume volume = view_limits.at(&frame);
      const float* p = &frame.position[3 * i];
      EXPECT_TRUE(volume.contains({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])}));
    }
  }
  arguments.set("follow", std::string("Vulcan"));
  EXPECT_THROW(ViewLimits(run.info, reference, arguments, {0, 1, 2}, 0.3), ArgumentError);
}

TEST(ViewLimits, DensityCentreIsFollowedByEveryPartOfARun) {
  TestRun run = drifting();
  const auto limits_of = [](const RunInfo& info, const Reference& reference, const std::string& frame_limits) {
    Arguments arguments = defaults(kind_named("view3d"));
    arguments.set("follow", std::string("densest"));
    arguments.set("frame_limits", frame_limits);
    return ViewLimits(info, reference, arguments, {0, 1, 2}, 0.3);
  };
  TestRun part = run;
  part.frames.erase(part.frames.begin(), part.frames.begin() + 37);
  part = settled(part);
  const Reference reference("inertial", run.info), part_reference("inertial", part.info);
  for (const char* frame_limits : {"fixed", "follow"}) {
    const ViewLimits whole_limits = limits_of(run.info, reference, frame_limits),
                     part_limits = limits_of(part.info, part_reference, frame_limits);
    for (const Frame& frame : part.frames) {
      const Place center = density_center(frame, run.info.mass, {});
      for (const ViewLimits* limits : {&whole_limits, &part_limits}) {
        const Volume volume = limits->at(&frame);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(volume.middle()[k], center[k], 1e-12);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(volume.contains(place_of(frame.position, i))) << frame.time;
      }
    }
    EXPECT_TRUE(whole_limits.follows());
    EXPECT_EQ(whole_limits.widest([](const Volume&) { return 1.F; }), 1);
  }
  run.info.names.edit()[1] = "densest";
  const Place body = limits_of(run.info, reference, "fixed").at(&run.frames[5]).middle();
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(body[k], place_of(run.frames[5].position, 1)[k], 1e-12) << "a body of that name has priority";
}

TEST(ViewLimits, FollowingLimitsIncludeAllAndAreContinuous) {
  TestRun run = drifting(241);
  for (std::size_t f = 100; f < 110; ++f) run.frames[f].position.edit()[7] += 12;  // a sudden leap there and back
  run = settled(run);
  const Reference reference("inertial", run.info);
  Arguments arguments = defaults(kind_named("view3d"));
  arguments.set("frame_limits", std::string("follow"));
  const ViewLimits view_limits(run.info, reference, arguments, {0, 1, 2}, 0.3);
  double widest = 0, narrowest = 1e300, greatest = 0;
  std::optional<Volume> before;
  for (const Frame& frame : run.frames) {
    const Volume volume = view_limits.at(&frame);
    for (std::size_t i = 0; i < 3; ++i) {
      const float* p = &frame.position[3 * i];
      EXPECT_TRUE(volume.contains({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])}))
          << frame.time;
    }
    const double size = volume.limits[0].length();
    widest = std::max(widest, size);
    narrowest = std::min(narrowest, size);
    if (before) {
      for (std::size_t k = 0; k < 3; ++k) {
        greatest = std::max(greatest, std::abs(volume.limits[k].low - before->limits[k].low) / size);
        greatest = std::max(greatest, std::abs(volume.limits[k].high - before->limits[k].high) / size);
      }
    }
    before = volume;
  }
  EXPECT_GT(widest, 2 * narrowest);
  EXPECT_LT(greatest, 0.08)
      << "of the picture between two of 241 frames, where a body leaps twice as far as it is wide";
  arguments.set("limits", std::vector<double>{-1, 1, -1, 1, -1, 1});
  EXPECT_THROW(ViewLimits(run.info, reference, arguments, {0, 1, 2}, 0.3), ArgumentError);
}

/// Many bodies as sampled by a survey: complete at both ends, and at each moment every seventh body.
TestRun breathing(std::size_t bodies) {
  const std::vector<float> radii{0.3F, 0.7F, 1.2F, 4, 2, 3.5F, 0.5F, 3, 0.4F};
  TestRun run = ball(bodies, static_cast<int>(radii.size()));
  for (std::size_t f = 1; f < radii.size(); ++f) {
    for (std::size_t i = 0; i < 3 * bodies; ++i)
      run.frames[f].position.edit()[i] = radii[f] * run.frames[0].position[i];
  }
  for (float& x : run.frames[0].position.edit()) x *= radii[0];
  run = settled(run);
  FrameSummaries summaries;
  for (std::size_t i = 0; i < bodies; i += 7) summaries.bodies.push_back(i);
  for (const Frame& frame : run.frames) {
    FrameSummary now{{.time = frame.time, .position = {}, .velocity = {}}, extent_of_all(frame)};
    now.center = mean(frame.position, run.info.mass);
    now.drift = mean(frame.velocity, run.info.mass);
    for (const std::size_t i : summaries.bodies) {
      const auto at = static_cast<std::ptrdiff_t>(3 * i);
      const auto take = [at](std::vector<float>& to, const std::vector<float>& from) {
        to.insert(to.end(), from.begin() + at, from.begin() + at + 3);
      };
      take(now.frame.position.edit(), frame.position);
      take(now.frame.velocity.edit(), frame.velocity);
    }
    summaries.moments.push_back(now);
  }
  run.info.samples = std::vector<Frame>{run.frames.front(), run.frames.back()};
  run.info.summaries = std::make_shared<const FrameSummaries>(summaries);
  return run;
}

TEST(ViewLimits, LimitsIncludeManyBodiesWithFewSamples) {
  const TestRun run = breathing(5003);
  for (const char* words : {"inertial", "barycentric", "body:14", "corotating:7,21"}) {
    for (const char* followed : {"", "center-of-mass", "28", "densest"}) {
      for (const char* outliers : {"show", "leave-out"}) {
        const bool all = std::string_view(outliers) == "show";
        const Reference reference(words, run.info, all);
        Arguments arguments = defaults(kind_named("view3d"));
        arguments.set("frame_limits", std::string("follow"));
        arguments.set("outliers", std::string(outliers));
        if (*followed != 0) arguments.set("follow", std::string(followed));
        const ViewLimits view_limits(run.info, reference, arguments, {0, 1, 2}, 0.3);
        double widest = 0;
        for (const Frame& frame : run.frames) {
          const Frame seen = reference.seen(frame);
          const Volume volume = view_limits.at(&seen);
          widest = std::max(widest, volume.limits[0].length());
          std::size_t outside = 0;
          for (std::size_t i = 0; i < seen.size(); ++i) {
            const float* p = &seen.position[3 * i];
            outside +=
                volume.contains({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])}) ? 0
                                                                                                                   : 1;
          }
          EXPECT_LE(outside, all ? 0U : 300U) << words << " " << followed << " " << outliers << " " << frame.time;
        }
        EXPECT_LT(widest, 60) << words << " " << followed << " " << outliers;
      }
    }
  }
  // The complete moments alone would not suffice.
  RunInfo blind = run.info;
  blind.summaries = nullptr;
  const Reference inertial("inertial", blind, true);
  Arguments arguments = defaults(kind_named("view3d"));
  arguments.set("frame_limits", std::string("follow"));
  const ViewLimits view_limits(blind, inertial, arguments, {0, 1, 2}, 0.3);
  EXPECT_LT(view_limits.at(&run.frames[3]).limits[0].length(), run.info.extent.high[0]);
  EXPECT_EQ(Reference("corotating:7,21", run.info).bodies(), (std::vector<std::size_t>{7, 21}));
}

TEST(ViewLimits, PlotFrameIsFixedWhileTicksMove) {
  const TestRun run = drifting();
  const FigureKind& kind = kind_named("projection");
  Arguments arguments = defaults(kind);
  arguments.set("follow", std::string("body 0"));
  Canvas canvas({640, 480});
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  std::optional<Box> first;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    const Box box = outline(canvas.drawing(scene_of(*figure)));
    if (!first) first = box;
    EXPECT_EQ(box.left, first->left);
    EXPECT_EQ(box.right, first->right);
    EXPECT_EQ(box.bottom, first->bottom);
  }
}

Arguments keyed(std::vector<Arguments> keys) {
  Arguments arguments = defaults(kind_named("view3d"));
  arguments.set("key", std::move(keys));
  return arguments;
}

TEST(CameraPath, PassesThroughKeyFramesWithoutOvershoot) {
  RunInfo info;
  info.start = 3;
  info.end = 17.3;
  const std::vector<double> at{3, 7.1, 7.9, 15.77}, azimuth{-58, 20, 20, 300}, elevation{10, 60, -5, 40};
  std::vector<Arguments> keys;
  for (std::size_t i = 0; i < at.size(); ++i)
    keys.push_back({{"time", at[i]}, {"azimuth", azimuth[i]}, {"elevation", elevation[i]}});
  keys[1].set("zoom", 2.0);
  keys[3].set("zoom", 8.0);
  const CameraPath path(info, keyed(keys));
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_EQ(path.at(at[i]).azimuth, azimuth[i]) << i;
    EXPECT_EQ(path.at(at[i]).elevation, elevation[i]) << i;
  }
  EXPECT_NEAR(path.at(7.1).zoom, 2, 1e-12);
  EXPECT_NEAR(path.at((7.1 + 15.77) / 2).zoom, 4, 1e-12) << "evenly by factors, what the third key leaves out";
  EXPECT_EQ(path.at(17).azimuth, 300) << "rests behind the last";
  double before = path.at(3).azimuth, speed = 0;
  for (double t = 3; t < 15.77; t += 0.01) {
    const double now = path.at(t).azimuth;
    EXPECT_GE(now, before - 1e-9) << t;
    EXPECT_LT(std::abs((now - before) - speed), 0.02) << "no kink at " << t;
    speed = now - before;
    before = now;
    EXPECT_LE(path.at(t).elevation, 60);
    EXPECT_GE(path.at(t).elevation, -5);
  }
}

TEST(CameraPath, EasesInAndOutWithoutAJerkBetweenKeys) {
  RunInfo info;
  info.start = -2;
  info.end = 9.7;
  const std::vector<double> at{0.1, 0.37, 0.52, 0.93};
  std::vector<Arguments> keys;
  for (const double share : at)
    keys.push_back(
        {{"at", share}, {"azimuth", 100 * share * share}, {"elevation", 60 - 50 * share}, {"zoom", 1 + share}});
  const CameraPath path(info, keyed(keys));
  const auto time_of = [&](double share) { return info.start + share * (info.end - info.start); };
  const auto velocity = [&](double share) {  // per film
    constexpr double h = 1e-6;
    const Pose a = path.at(time_of(share - h)), b = path.at(time_of(share + h));
    return std::array{(b.azimuth - a.azimuth) / (2 * h), (b.elevation - a.elevation) / (2 * h),
                      (b.zoom - a.zoom) / (2 * h)};
  };
  const std::array mean{100 * (at[3] + at[0]), -50.0, 1.0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(velocity(0.03)[k], 0, 1e-6) << "at rest before the first key";
    EXPECT_NEAR(velocity(at[0])[k] / mean[k], 0, 1e-4);
    EXPECT_NEAR(velocity(at[3])[k] / mean[k], 0, 1e-4);
    EXPECT_GT(velocity(at[1])[k] / mean[k], 0.2) << "does not stop on the way";
    EXPECT_GT(velocity(at[2])[k] / mean[k], 0.2);
    double before = 0, greatest = 0;
    for (double share = at[0]; share <= at[3]; share += 1e-3) {
      const double now = velocity(share)[k] / mean[k];
      EXPECT_LT(std::abs(now - before), 0.05) << "no sudden change of velocity at " << share;
      greatest = std::max(greatest, now);
      before = now;
    }
    EXPECT_LT(greatest, 3);
  }
}

TEST(CameraPath, InvalidKeysAreNamed) {
  RunInfo info;
  info.end = 10;
  const auto fault = [&](const Arguments& arguments) -> std::string {
    try {
      (void)CameraPath(info, arguments);
    } catch (const ArgumentError& error) {
      return error.name();
    }
    return "";
  };
  EXPECT_EQ(fault(keyed({{{"at", 0.0}, {"azimuth", 1.0}}, {{"at", 1.0}, {"azimuth", 9.0}}})), "");
  EXPECT_EQ(fault(keyed({{{"at", 0.5}, {"azimuth", 1.0}}, {{"at", 0.5}, {"azimuth", 9.0}}})), "key[1]");
  EXPECT_EQ(fault(keyed({{{"azimuth", 1.0}}})), "key[0]");
  EXPECT_EQ(fault(keyed({{{"at", 0.5}, {"time", 1.0}}})), "key[0]");
  Arguments both = keyed({{{"at", 0.5}, {"azimuth", 1.0}}});
  both.set("camera", std::string("orbit"));
  EXPECT_EQ(fault(both), "camera");
}

}  // namespace
}  // namespace orrery::render
