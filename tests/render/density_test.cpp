// SPDX-License-Identifier: MIT
// Surface density conserves mass, is smooth for few bodies and exact for many, and the figure shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "render/point_cloud/density_map.hpp"
#include "scene.hpp"
#include "tests/thread_limit.hpp"

namespace orrery::render {
namespace {

double mass_of(const DensityMap& field) {
  double sum = 0;
  for (const float density : field.density) sum += static_cast<double>(density);
  return sum * (field.x.length() / field.size.width * field.y.length() / field.size.height);
}

/// A Gaussian of width 1 and total mass 3.
std::vector<PointMass> gaussian(std::size_t n) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 1);
  std::vector<PointMass> points;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = normal(random), y = normal(random);
    points.push_back({x, y, 3.0 / static_cast<double>(n)});
  }
  return points;
}

TEST(SurfaceDensity, OfFewBodiesFitsIntoTheMargins) {
  // As far from the edge as automatic limits keep them.
  const DensityMap field =
      surface_density({{-1, -0.4, 1}, {0.9, 0.3, 2}, {1, 0.4, 3}}, {-1.12, 1.12}, {-0.52, 0.52}, {640, 320});
  const auto width = static_cast<std::size_t>(field.size.width), all = field.density.size();
  for (std::size_t i = 0; i < all; ++i) {
    const bool at_the_rim = i < width || i + width >= all || i % width == 0 || (i + 1) % width == 0;
    ASSERT_EQ(at_the_rim ? field.density[i] : 0, 0) << i;
  }
  EXPECT_NEAR(mass_of(field), 6, 1e-3);
}

TEST(SurfaceDensity, HasTheMassInsideItsLimits) {
  for (const std::size_t n : {0U, 1U, 2U, 33U, 257U, 8192U}) {
    std::vector<PointMass> points = gaussian(n);
    if (n > 0) points.push_back({1e5, -1e7, 5});  // far away
    if (n > 0) points.push_back({std::nan(""), 0, 5});
    for (const auto& [x, y] : {std::pair{Interval{-8, 8}, Interval{-8, 8}}, {Interval{-0.7, 2}, Interval{0.1, 0.9}}}) {
      double inside = 0;
      for (const PointMass& p : points) {
        if (p.x >= x.low && p.x <= x.high && p.y >= y.low && p.y <= y.high) inside += p.mass;
      }
      for (const Size size : {Size{640, 480}, Size{77, 131}, Size{1200, 1170}}) {
        const DensityMap field = surface_density(points, x, y, size);
        EXPECT_NEAR(mass_of(field), inside, 1e-5 * inside) << n << " on " << size.width;
        EXPECT_NEAR(field.size.width, size.width, 16);
      }
    }
  }
}

TEST(SurfaceDensity, ApproximatesTheSmoothModel) {
  const DensityMap field = surface_density(gaussian(40000), {-5, 5}, {-5, 5}, {600, 600});
  for (const double r : {0.0, 0.5, 1.0, 1.7, 2.4}) {
    double mean = 0;
    constexpr int around = 16;
    for (int k = 0; k < around; ++k) {
      const double a = 2 * M_PI * k / around, seen = static_cast<double>(field.at(r * std::cos(a), r * std::sin(a)));
      const double truth = 3 / (2 * M_PI) * std::exp(-r * r / 2);
      EXPECT_NEAR(seen / truth, 1, 0.35) << r;  // no noise at single places
      mean += seen / truth / around;
    }
    EXPECT_NEAR(mean, 1, 0.08) << r;
  }
}

TEST(SurfaceDensity, IsFlatUpToTheBorderWhereBodiesAreEvenlySpread) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-2, 2);
  std::vector<PointMass> points(60000);
  for (PointMass& p : points) p = {uniform(random), uniform(random), 1};
  const DensityMap field = surface_density(points, {-1, 1}, {-1, 1}, {320, 320});
  for (const double x : {-0.99, -0.5, 0.0, 0.98})
    EXPECT_NEAR(static_cast<double>(field.at(x, 0.99)) / (60000 / 16.0), 1, 0.35) << x;
}

TEST(SurfaceDensity, DoesNotDependOnThreads) {
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    results.push_back(surface_density(gaussian(20000), {-3, 3}, {-3, 3}, {300, 200}).density);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(SurfaceDensity, DominantBodiesAreFound) {
  const Interval side{-8, 8};
  std::vector<PointMass> points = gaussian(2000);
  EXPECT_TRUE(dominant(points, side, side).empty());
  const double light = points[0].mass;
  points[7].mass = 300 * light;  // of about 112 neighbours
  points.push_back({5, 5, light});
  points.push_back({7, -7, 20 * light});  // alone, but no heavier than those next to it
  EXPECT_EQ(dominant(points, side, side), std::vector<std::size_t>{7});
  for (const double mass : {200 * light, 300 * light}) {  // and its companion
    points.push_back({points[7].x, points[7].y, mass});
    EXPECT_EQ(dominant(points, side, side), (std::vector<std::size_t>{7, 2002}));
    points.pop_back();
  }
  std::vector<PointMass> two_kinds = gaussian(2000);
  for (std::size_t i = 0; i < 2000; i += 10) two_kinds[i].mass *= 200;
  EXPECT_TRUE(dominant(two_kinds, side, side).empty()) << "many heavy ones are a crowd themselves";
  EXPECT_TRUE(dominant(points, {3, 8}, {3, 8}).empty()) << "who is not in the picture";
  points.resize(12);
  EXPECT_TRUE(dominant(points, side, side).empty()) << "few have no neighbourhood";
}

TEST(SurfaceDensity, NeighbourhoodsOfDominantBodiesCrossPeriodicEnds) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0, 2);
  std::vector<PointMass> points;
  for (int i = 0; i < 3000; ++i) points.push_back({place(random), place(random), 1});
  const Interval side{0, 2};
  points[5] = {0.01, 1.003, 500};
  EXPECT_EQ(dominant(points, side, side, {2, 2}), std::vector<std::size_t>{5});
  for (std::size_t k = 0; k < 4; ++k) points[10 + k] = {1.97 + 0.005 * static_cast<double>(k), 1.01, 400};
  EXPECT_TRUE(dominant(points, side, side, {2, 2}).empty()) << "one of five that are close to each other";
  EXPECT_EQ(dominant(points, side, side, {0, 2}), (std::vector<std::size_t>{5, 10, 11, 12, 13})) << "one and four";
}

std::vector<std::string> words_of(const Drawing& drawing) {
  std::vector<std::string> words;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* text = std::get_if<Text>(&shape)) words.push_back(text->words);
  }
  return words;
}

/// A star in the hole of a disk of 2000 bodies, each with 1e-9 of its mass or massless.
TestRun star_with_disk(double mass) {
  TestRun run;
  run.info.title = "Disk";
  run.frames.resize(1);
  run.frames[0].position = {0, 0, 0};
  run.info.mass = {1};
  for (int i = 0; i < 2000; ++i) {
    const double r = std::sqrt(0.25 + 0.75 * (i + 0.5) / 2000), angle = 2.399963 * i;
    for (const double x : {r * std::cos(angle), r * std::sin(angle), 0.0})
      run.frames[0].position.edit().push_back(static_cast<float>(x));
    run.info.mass.edit().push_back(mass);
  }
  run.info.names.edit().resize(2001);
  run.info.names.edit()[0] = "Sun";
  return settled(run);
}

/// The panel of the field, without its colour bar.
Box field_box(const Drawing& drawing) {
  for (const Shape& shape : drawing.shapes) {
    if (const auto* picture = std::get_if<Picture>(&shape)) return picture->box;
  }
  return {};
}

TEST(Density, StarIsDrawnAsABodyAboveItsDisk) {
  const FigureKind& kind = kind_named("density");
  for (const Theme theme : {Theme::light, Theme::dark}) {
    for (const double mass : {1e-9, 0.0}) {
      TestRun run = star_with_disk(mass);
      run.info.mass_unit = "M☉";
      run.info.length_unit = "au";
      Canvas canvas({800, 600}, theme);
      const auto figure = shown(kind, canvas, run, defaults(kind));
      const Image image = canvas.capture(scene_of(*figure));
      const Box box = field_box(canvas.drawing(scene_of(*figure)));
      const Color ground = canvas.style().background;
      EXPECT_LE(distance(pixel(image, box, 0.5, 0.5), body_color(theme, 0)), 3) << "the star";
      EXPECT_LE(distance(pixel(image, box, 0.5, 0.58), ground), 6) << "the hole";
      EXPECT_GT(distance(pixel(image, box, 0.5, 0.82), ground), 60) << "the disk";
      const std::string unit = mass > 0 ? "M☉/au²" : "1/au²";
      EXPECT_THAT(
          words_of(canvas.drawing(scene_of(*figure))),
          testing::IsSupersetOf(std::vector<std::string>{"Sun", "Disk · without Sun", "log₁₀ Σ [" + unit + "]"}));
    }
  }
}

TEST(Density, ShowsOnlyRequestedBodies) {
  const FigureKind& kind = kind_named("density");
  const TestRun run = star_with_disk(1e-9);
  Arguments arguments = defaults(kind);
  std::vector<std::string> right;
  for (std::size_t i = 1; i < 2001; ++i) {
    if (run.frames[0].position[3 * i] > 0) right.push_back(std::to_string(i));
  }
  arguments.set("bodies", right);
  arguments.set("limits", std::vector<double>{-1, 1, -1, 1});
  Canvas canvas({800, 600});
  const auto figure = shown(kind, canvas, run, arguments);
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  EXPECT_GT(distance(pixel(image, box, 0.9, 0.5), canvas.style().background), 60);
  EXPECT_LE(distance(pixel(image, box, 0.1, 0.5), canvas.style().background), 6);
  EXPECT_THAT(words_of(canvas.drawing(scene_of(*figure))), testing::Contains("log₁₀ Σ"));
}

TEST(Density, CoreIsDarkInLightThemeAndBrightInDarkTheme) {
  const FigureKind& kind = kind_named("density");
  TestRun run = ball(5000);
  run.info.mass_unit = "M☉";
  run.info.length_unit = "kpc";
  for (const Theme theme : {Theme::light, Theme::dark}) {
    Canvas canvas({800, 600}, theme);
    Arguments arguments = defaults(kind);
    arguments.set("limits", std::vector<double>{-2, 2, -2, 2});
    const auto figure = shown(kind, canvas, run, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    const Box box = plot_box(image, canvas.style());
    EXPECT_LE(distance(pixel(image, box, 0.02, 0.96), canvas.style().background), 3);
    const auto luminance = [&](double x) {
      const Color c = pixel(image, box, 0.5 + x / 4, 0.5);
      return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    };
    const double sign = theme == Theme::light ? -1 : 1;
    EXPECT_GT(sign * luminance(0.05), sign * luminance(0.7) + 40);
    EXPECT_GT(sign * luminance(0.7), sign * luminance(1.4));
    EXPECT_THAT(words_of(canvas.drawing(scene_of(*figure))),
                testing::IsSupersetOf({"log₁₀ Σ [M☉/kpc²]", "x [kpc]", "y [kpc]"}));
  }
}

TEST(Density, FieldCrossesPeriodicEndsAndStaysInTheBox) {
  const FigureKind& kind = kind_named("density");
  TestRun run = ball(3001);
  for (std::size_t i = 0; i < 3001; ++i) {
    float* at = &run.frames[0].position.edit()[3 * i];
    for (std::size_t k = 0; k < 3; ++k) at[k] *= 0.2F;
    at[0] = 2 - std::abs(at[0]);  // left of the end at 2
  }
  for (const bool periodic : {true, false}) {
    run.info.bounds = {.low = {-2, -1, -1},
                       .high = {2, 1, 1},
                       .closed = {true, true, true},
                       .periodic = {periodic, periodic, periodic}};
    Arguments arguments = defaults(kind);
    arguments.set("limits", std::vector<double>{-2.5, 2.5, -2, 2});
    arguments.set("colormap", std::string("viridis"));
    Canvas canvas({800, 600});
    const TestRun in_box = settled(run);
    const auto figure = shown(kind, canvas, in_box, arguments);
    const Image image = canvas.capture(scene_of(*figure));
    const Box box = field_box(canvas.drawing(scene_of(*figure)));
    const Color none = pixel(image, box, 0.5, 0.1);
    EXPECT_NEAR(box.width() / box.height(), 2, 0.02) << "the box";
    EXPECT_GT(distance(pixel(image, box, 0.985, 0.5), none), 60);
    EXPECT_EQ(distance(pixel(image, box, 0.003, 0.5), none) > 40, periodic);
    for (const double x : {-0.06, 1.06})
      EXPECT_LE(distance(pixel(image, box, x, 0.5), none), 3) << "outside of the box";
  }
}

TEST(Density, SingleComponentCanBeShown) {
  const FigureKind& kind = kind_named("density");
  TestRun run = ball(2000);
  for (std::size_t i = 0; i < 2000; ++i)
    run.frames[0].position.edit()[3 * i] += i % 2 == 0 ? -3.F : 3.F;  // disk left, bulge right
  run = settled(run);
  Arguments arguments = defaults(kind);
  arguments.set("limits", std::vector<double>{-5, 5, -4, 4});
  arguments.set("component", std::string("bulge"));
  Canvas canvas({800, 600});
  const auto figure = shown(kind, canvas, run, arguments);
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  EXPECT_GT(distance(pixel(image, box, 0.8, 0.5), canvas.style().background), 100);
  EXPECT_LE(distance(pixel(image, box, 0.2, 0.5), canvas.style().background), 3);
  arguments.set("component", std::string("halo"));
  try {
    made(kind, canvas, run.info, arguments, whole);
    ADD_FAILURE();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), "component");
    EXPECT_THAT(error.what(), testing::HasSubstr("disk, bulge"));
  }
}

/// The numbers at the colour bar and the colours in the middle, frame by frame.
struct Seen {
  std::vector<std::string> words;
  std::vector<Color> middle;
};

Seen filmed(const TestRun& run, const char* extra, const std::vector<double>& value) {
  const FigureKind& kind = kind_named("density");
  Arguments arguments = defaults(kind);
  if (!value.empty()) arguments.set(extra, value);
  Canvas canvas({640, 480}, Theme::dark);
  const auto figure = made(kind, canvas, run.info, arguments, Trails{0.1});
  Seen seen;
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    const Image image = canvas.capture(scene_of(*figure));
    seen.middle.push_back(pixel(image, plot_box(image, canvas.style()), 0.5, 0.5));
    std::string all;
    for (const std::string& word : words_of(canvas.drawing(scene_of(*figure)))) {
      if (!word.starts_with("t =")) all += word + " ";
    }
    seen.words.push_back(all);
  }
  return seen;
}

TEST(Density, FilmHasAFixedRange) {
  TestRun run = ball(2000, 3);
  for (std::size_t f = 0; f < 3; ++f) {
    for (float& x : run.frames[f].position.edit()) x *= static_cast<float>(1 + f);  // it spreads
  }
  run = settled(run);
  const Seen seen = filmed(run, "", {});
  EXPECT_THAT(seen.words, testing::Each(seen.words[0]));
  EXPECT_GT(seen.middle[0].red, seen.middle[2].red + 20);
  const Seen fixed = filmed(run, "range", {-9.0, 9.0});
  EXPECT_THAT(fixed.words[1], testing::HasSubstr("−8 −6"));
}

TEST(Density, AnEscaperChangesNeitherRangeNorLimits) {
  TestRun run = ball(2500), escaped = run;
  escaped.frames[0].position.edit()[0] = 1e6F;
  escaped = settled(escaped);
  EXPECT_EQ(filmed(run, "", {}).words, filmed(escaped, "", {}).words);
}

TEST(Density, IsAnSvgWithThePictureInsideVectorAxes) {
  const Scratch scratch;
  Canvas canvas({640, 480});
  const TestRun run = ball(500);
  const auto figure = shown(kind_named("density"), canvas, run, defaults(kind_named("density")));
  canvas.save(scene_of(*figure), scratch / "a.svg");
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_THAT(svg, testing::HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(svg, testing::HasSubstr("aria-label=\"log₁₀ Σ\""));
}

}  // namespace
}  // namespace orrery::render
