// SPDX-License-Identifier: MIT
// Point clouds: bright where dense, in the bodies' colours, the same for any number of threads, steady in films.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "render/point_cloud/accumulation_buffer.hpp"
#include "render/point_cloud/tone_mapping.hpp"
#include "scene.hpp"
#include "tests/thread_limit.hpp"

namespace orrery::render {
namespace {

double luminance(Color c) {
  return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
}

double mean_luminance(const Image& image) {
  double sum = 0;
  for (int y = 0; y < image.size.height; ++y) {
    for (int x = 0; x < image.size.width; ++x) sum += luminance(image.at(x, y));
  }
  return sum / image.size.width / image.size.height;
}

Image sky(const TestRun& run, Theme theme, const char* by = nullptr) {
  const FigureKind& kind = kind_named("view3d");
  Arguments arguments = defaults(kind);
  arguments.set("axes", false);
  if (by != nullptr) arguments.set("color_by", std::string(by));
  Canvas canvas({640, 360}, theme);
  const auto figure = shown(kind, canvas, run, arguments);
  return canvas.capture(scene_of(*figure));
}

/// Calls visit(column, texel) for all texels of a row that are not dark.
template <class Visit>
void for_each_texel(const AccumulationBuffer& light, int row, const Visit& visit) {
  std::vector<Texel> room;
  light.visit_row(row, 0, room, [&](int first, const Texel* texels, int count) {
    for (int k = 0; k < count; ++k) visit(first + k, texels[k]);
  });
}

TEST(AccumulationBuffer, SumDoesNotDependOnSubpixelPosition) {
  for (const float sigma : {0.6F, 1.3F, 4.F}) {
    for (const Point at : {Point{40, 30}, Point{40.97F, 30.2F}, Point{40.5F, 30.5F}}) {
      AccumulationBuffer light({80, 60});
      add_dots(light, {Dot{at, 0, 2}}, {Color{255, 0, 0}}, sigma, 1.5F);
      double sum = 0, blue = 0, x = 0;
      for (int row = 0; row < 60; ++row) {
        for_each_texel(light, row, [&](int column, const Texel& texel) {
          sum += static_cast<double>(texel.amount);
          blue += static_cast<double>(texel.blue);
          x += (column + 0.5) * static_cast<double>(texel.amount);
        });
      }
      EXPECT_NEAR(sum, 3, 1e-4);
      EXPECT_EQ(blue, 0);
      EXPECT_NEAR(x / sum, static_cast<double>(at.x), 0.07);
    }
  }
}

TEST(AccumulationBuffer, BloomHasItsFractionAndWidth) {
  AccumulationBuffer light({401, 401});
  add_dots(light, {Dot{{200.5F, 200.5F}}}, {Color{255, 255, 255}}, 1, 1);
  const Bloom bloom{20, 0.5F};
  light.set_blooms(std::span(&bloom, 1));
  double sum = 0, square = 0;
  for (int row = 0; row < 401; ++row) {
    for_each_texel(light, row, [&](int column, const Texel& texel) {
      const auto amount = static_cast<double>(texel.amount);
      sum += amount;
      square += amount * std::pow(column - 200, 2);
    });
  }
  EXPECT_NEAR(sum, 1.5, 0.01);
  EXPECT_NEAR(std::sqrt(square / 0.5), 20, 3);
}

TEST(ToneMapping, IsMonotonicAndIgnoresStrayPeaks) {
  std::mt19937 random(2);
  std::lognormal_distribution<float> spread(0, 0.6F);
  std::vector<float> light(4000);
  for (float& l : light) l = spread(random);
  const ToneMapping plain(light, 0.7, 1.5);
  light[17] = 1e9F;
  const ToneMapping strayed(light, 0.7, 1.5);
  float before = 0;
  for (float l = 1e-3F; l < 1e3F; l *= 1.5F) {
    EXPECT_GE(plain(l), before);
    EXPECT_NEAR(plain(l), strayed(l), 0.02F);
    before = plain(l);
  }
  EXPECT_GT(before, 1);
  EXPECT_EQ(plain(0), 0);
  std::nth_element(light.begin(), light.begin() + 1200, light.end());
  EXPECT_NEAR(plain(light[1200]), 0.7F, 0.05F);
}

TEST(ToneMapping, BodiesAroundADenseCoreAreFainterThanASingleBody) {
  std::vector<float> light(900, 1.F);  // alone
  light.resize(1000, 80.F);
  const ToneMapping tone_mapping(light, 0.7, 1.5);
  EXPECT_GT(tone_mapping(1), 0.45F);
  EXPECT_LT(tone_mapping(0.12F), tone_mapping(1) / 2);
}

TEST(ToneMapping, ASingleBodyIsVisibleBesideDenseOnes) {
  std::vector<float> light(100, 1.F);  // a stream
  light.resize(10000, 500.F);
  EXPECT_LT(ToneMapping(light, 0.5, 1)(1), 0.1F);
  const ToneMapping tone_mapping(light, 0.5, 1, 1, 0.3);
  EXPECT_NEAR(tone_mapping(1), 0.3F, 0.02F);
  EXPECT_GT(tone_mapping(500), 0.9F);
}

/// 3000 bodies in a dense ball and 40 in a stream below it.
TestRun ball_and_stream() {
  TestRun run = ball(3040);
  for (std::size_t i = 3000; i < 3040; ++i) {
    float* place = &run.frames[0].position.edit()[3 * i];
    place[0] = -3 + 0.15F * static_cast<float>(i - 3000), place[1] = -3, place[2] = 0;
  }
  for (std::size_t k = 0; k < 3 * 3000; ++k) run.frames[0].position.edit()[k] *= 0.3F;
  return settled(run);
}

TEST(PointCloud, StreamsOfStarsAreSeenOnWhiteAndLargerMarksAreNotFainter) {
  const TestRun run = ball_and_stream();
  const FigureKind& kind = kind_named("projection");
  double before = 255;
  for (const double size : {1.0, 2.0, 4.0}) {
    Arguments arguments = defaults(kind);
    arguments.set("marker_size", size);
    arguments.set("limits", std::vector<double>{-4, 4, -4, 4});
    Canvas canvas({800, 800}, Theme::light);
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    const Box box = plot_box(image, canvas.style());
    double darkest = 255;  // along a line across the stream
    for (double up = 0.05; up < 0.2; up += 0.001) {
      for (double right = 0.3; right < 0.36; right += 0.002)
        darkest = std::min(darkest, luminance(pixel(image, box, right, up)));
    }
    EXPECT_LT(darkest, 205) << size;
    EXPECT_LT(darkest, before + 12) << size;
    before = darkest;
  }
}

TEST(PointCloud, ABodyFarHeavierThanTheOthersIsADisc) {
  TestRun run = ball(500);
  run.info.mass = std::vector<double>(500, 0);
  run.info.mass.edit()[17] = 1;
  run.info.mass.edit()[18] = 1e-3;
  const FigureKind& kind = kind_named("projection");
  Canvas canvas({800, 800}, Theme::light);
  const auto figure = shown(kind, canvas, run, defaults(kind));
  std::vector<float> radii;
  for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
    if (const auto* disc = std::get_if<Disc>(&shape)) radii.push_back(disc->radius);
  }
  ASSERT_GE(radii.size(), 2U);  // those of a legend come later
  EXPECT_GT(radii[0], radii[1]);
}

TEST(PointCloud, IsBrightInTheMiddleAndDarkOutside) {
  const TestRun run = ball(8000);
  const Image dark = sky(run, Theme::dark), light = sky(run, Theme::light);
  EXPECT_GT(luminance(dark.at(320, 180)), 150);
  EXPECT_LT(luminance(dark.at(8, 180)), 40);
  EXPECT_LT(luminance(light.at(320, 180)), 160);
  EXPECT_GT(luminance(light.at(8, 120)), 250);
}

TEST(PointCloud, HasTheRequestedColors) {
  TestRun run = ball(4000);
  for (std::size_t i = 0; i < 4000; ++i) {  // the disk on the left at speed 1, the bulge on the right at 3
    run.frames[0].position.edit()[3 * i] += i % 2 == 0 ? -3.F : 3.F;
  }
  run = settled(run);
  const FigureKind& kind = kind_named("projection");
  const auto side = [&](const char* by, double right, Theme theme) {
    Arguments arguments = defaults(kind);
    arguments.set("color_by", std::string(by));
    arguments.set("limits", std::vector<double>{-5, 5, -4, 4});
    Canvas canvas({640, 480}, theme);
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    const Box box = plot_box(image, canvas.style());
    std::array<double, 3> sum{};  // of a patch, away from the core
    for (double dx = 0.05; dx < 0.09; dx += 0.005) {
      const Color c = pixel(image, box, right + dx, 0.55), ground = canvas.style().background;
      sum[0] += c.red - ground.red, sum[1] += c.green - ground.green, sum[2] += c.blue - ground.blue;
    }
    return sum;
  };
  const auto blue = side("component", 0.2, Theme::dark), orange = side("component", 0.8, Theme::dark);
  EXPECT_GT(blue[2], 1.2 * blue[0]);
  EXPECT_GT(orange[0], 1.2 * orange[2]);
  const auto slow = side("speed", 0.2, Theme::dark), fast = side("speed", 0.8, Theme::dark);
  EXPECT_GT(fast[1] / fast[2], 2 * std::max(0.1, slow[1] / slow[2])) << "from violet to yellow";
}

TEST(PointCloud, BodiesHaveTheRequestedSize) {
  const TestRun run = ball(3000);
  const FigureKind& kind = kind_named("projection");
  // A corner with a few bodies: pixels that differ from the background.
  const auto covered = [&](double points) {
    Arguments arguments = defaults(kind);
    arguments.set("limits", std::vector<double>{0.6, 0.9, 0.6, 0.9});
    if (points > 0) arguments.set("marker_size", points);
    Canvas canvas({480, 480}, Theme::light);
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    int dark = 0;
    for (int y = 0; y < 480; ++y) {
      for (int x = 0; x < 480; ++x) dark += luminance(image.at(x, y)) < 230 ? 1 : 0;
    }
    return dark;
  };
  const int usual = covered(0), large = covered(3), larger = covered(6);
  EXPECT_GT(large, 1.3 * usual);
  EXPECT_GT(larger, 1.3 * large);
}

TEST(PointCloud, DoesNotDependOnThreads) {
  const TestRun run = ball(12000);
  std::vector<std::vector<std::uint8_t>> pictures;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    pictures.push_back(sky(run, Theme::dark, "speed").rgb);
  }
  EXPECT_EQ(pictures[0], pictures[1]);
  EXPECT_EQ(pictures[0], pictures[2]);
}

TEST(PointCloud, EscaperDoesNotChangeThePicture) {
  TestRun run = ball(3000);
  const Image before = sky(run, Theme::dark, "speed");
  run.frames[0].position.edit()[0] = 1e7F;
  run.frames[0].velocity.edit()[0] = 1e7F;
  run = settled(run);
  const Image after = sky(run, Theme::dark, "speed");
  int differ = 0;
  for (std::size_t i = 0; i < before.rgb.size(); ++i) differ += std::abs(before.rgb[i] - after.rgb[i]) > 40 ? 1 : 0;
  EXPECT_LT(differ, static_cast<int>(before.rgb.size() / 100));
  EXPECT_NEAR(mean_luminance(before), mean_luminance(after), 2);
}

TEST(PointCloud, FilmDoesNotFlicker) {
  // The ball collapses while one body stays aside: with an exposure chosen for each moment, that body would grow
  // dim.
  TestRun run = ball(3000);
  const Frame first = run.frames[0];
  run.frames.clear();
  for (int f = 0; f < 5; ++f) {
    Frame frame = first;
    frame.time = f;
    for (float& x : frame.position.edit()) x *= 1 - 0.2F * static_cast<float>(f);
    std::ranges::copy(std::array{1.3F, 1.3F, 0.F}, frame.position.edit().begin());
    run.frames.push_back(frame);
  }
  run = settled(run);
  const FigureKind& kind = kind_named("projection");
  Arguments arguments = defaults(kind);
  arguments.set("limits", std::vector<double>{-1.5, 1.5, -1.5, 1.5});
  Canvas canvas({640, 480}, Theme::dark);
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  std::vector<Image> images;
  std::vector<double> lonely;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    images.push_back(canvas.capture(scene_of(*figure)));
    const Box box = plot_box(images.back(), canvas.style());
    lonely.push_back(luminance(pixel(images.back(), box, 2.8 / 3, 2.8 / 3)));
  }
  EXPECT_NE(images[0].rgb, images[1].rgb);
  EXPECT_GT(lonely[0], 30);
  for (const double l : lonely) EXPECT_NEAR(l, lonely[0], 4);
  // The same moment looks the same again, whatever was drawn in between.
  figure->show(run.frames[0]);
  EXPECT_EQ(canvas.capture(scene_of(*figure)).rgb, images[0].rgb);
}

TEST(PointCloud, HasNoAxesByDefaultInDarkTheme) {
  const TestRun run = ball(2000);
  const FigureKind& kind = kind_named("view3d");
  for (const bool axes : {false, true}) {
    Arguments arguments = defaults(kind);
    arguments.set("axes", axes);
    Canvas canvas({800, 450}, Theme::dark);
    const auto figure = shown(kind, canvas, run, arguments);
    int texts = 0, areas = 0;
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      texts += std::holds_alternative<Text>(shape) ? 1 : 0;
      areas += std::holds_alternative<Area>(shape) ? 1 : 0;
    }
    EXPECT_EQ(areas, axes ? 3 : 0);
    EXPECT_EQ(texts > 10, axes) << texts;
  }
}

TEST(PointCloud, OrbitingCameraKeepsItsDistance) {
  const FigureKind& kind = kind_named("view3d");
  TestRun run = ball(1000);
  run.frames.resize(9, run.frames[0]);
  for (std::size_t f = 0; f < 9; ++f) run.frames[f].time = static_cast<double>(f);
  run = settled(run);
  Arguments arguments = defaults(kind);
  arguments.set("camera", std::string("orbit"));
  Canvas canvas({640, 360}, Theme::dark);
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  std::vector<float> bars;  // the scale bar, of a round length
  std::vector<double> brightness;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
      const auto* line = std::get_if<Line>(&shape);
      if (line != nullptr && line->points.size() == 4) bars.push_back(line->points[2].x - line->points[1].x);
    }
    brightness.push_back(mean_luminance(canvas.capture(scene_of(*figure))));
  }
  ASSERT_EQ(bars.size(), 9U);
  EXPECT_THAT(bars, testing::Each(bars[0]));
  for (const double b : brightness) EXPECT_NEAR(b, brightness[0], 0.06 * brightness[0]);
}

TEST(PointCloud, IsBrighterWhenZoomedIn) {
  const FigureKind& kind = kind_named("view3d");
  TestRun run = ball(3000);
  run.frames.resize(2, run.frames[0]);
  run.frames[1].time = 1;
  run = settled(run);
  Arguments arguments = defaults(kind);
  arguments.set("key", std::vector<Arguments>{{{"at", 0.0}, {"zoom", 0.8}}, {{"at", 1.0}, {"zoom", 3.2}}});
  Canvas canvas({320, 240}, Theme::dark);
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  std::vector<double> middle;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    const Image image = canvas.capture(scene_of(*figure));
    double sum = 0;
    for (int y = 105; y < 135; ++y) {
      for (int x = 145; x < 175; ++x) sum += image.at(x, y).red + image.at(x, y).green + image.at(x, y).blue;
    }
    middle.push_back(sum);
  }
  EXPECT_GT(middle[1], 0.5 * middle[0]);
}

}  // namespace
}  // namespace orrery::render
