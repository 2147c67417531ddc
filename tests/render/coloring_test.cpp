// SPDX-License-Identifier: MIT
// Colours show the requested quantity, an outlier does not take the whole range, and a legend explains them.
#include "render/style/coloring.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <tuple>

#include "render/style/colormap.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::ElementsAre;

Coloring coloring(const TestRun& run, const std::string& by) {
  const Reference reference("inertial", run.info);
  return {by, Theme::dark, run.info, reference};
}

TEST(Coloring, FewBodiesAreColoredOneByOneAndManyByComponent) {
  const TestRun few = circles(3, 4), many = ball(100);
  EXPECT_THAT(coloring(few, "").names(), ElementsAre("body 0", "body 1", "body 2"));
  EXPECT_EQ(coloring(few, "").of(2, 0), body_color(Theme::dark, 2));
  const Coloring crowd = coloring(many, "");
  EXPECT_THAT(crowd.names(), ElementsAre("disk", "bulge"));
  EXPECT_EQ(crowd.of(7, 0), body_color(Theme::dark, 1));
  EXPECT_EQ(crowd.of(8, 0), body_color(Theme::dark, 0));
  EXPECT_FALSE(crowd.scale());
}

TEST(Coloring, UpToEightUnnamedBodiesAreNumbered) {
  for (const std::size_t n : {1U, 2U, 8U, 9U}) {
    TestRun run = circles(n, 2);
    run.info.names = {};
    const Coloring all = coloring(run, "");
    EXPECT_EQ(all.names().size(), n == 2 || n == 8 ? n : 0) << n;
    if (n != 8) continue;
    EXPECT_EQ(all.names().back(), "body 7");
    EXPECT_EQ(all.color_of_name(7), body_color(Theme::dark, 7));
  }
}

TEST(Coloring, ColorDoesNotDependOnWhichBodiesAreShown) {
  const TestRun run = ball(100);
  const Reference reference("inertial", run.info);
  const Coloring three("", Theme::dark, run.info, reference, {7, 3, 98});
  EXPECT_THAT(three.names(), ElementsAre("body 7", "body 3", "body 98"));
  EXPECT_EQ(three.of(0, 0), body_color(Theme::dark, 7));
  EXPECT_EQ(three.color_of_name(1), body_color(Theme::dark, 3));
  EXPECT_EQ(three.of(2, 0), body_color(Theme::dark, 98 % different_colors));
  const Coloring bulge("component", Theme::dark, run.info, reference, {7});  // the legend has no other component
  EXPECT_THAT(bulge.names(), ElementsAre("bulge"));
  EXPECT_EQ(bulge.color_of_name(0), body_color(Theme::dark, 1));
  const Coloring by_number("id", Theme::dark, run.info, reference, {99, 0});
  EXPECT_EQ(by_number.of(0, 0), scalar_color(Theme::dark, 1));
  EXPECT_EQ(by_number.of(1, 0), scalar_color(Theme::dark, 0));
  EXPECT_EQ(by_number.scale()->limits.high, 99);
}

TEST(Coloring, SpeedUsesAllColorsDespiteAnEscaper) {
  TestRun run = ball(1000);
  for (std::size_t i = 0; i < 1000; ++i) run.frames[0].velocity.edit()[3 * i + 2] = 1 + 0.001F * static_cast<float>(i);
  run.frames[0].velocity.edit()[0] = 1e6F;
  run = settled(run);
  run.info.speed_unit = "km/s";
  const Coloring speed = coloring(run, "speed");
  ASSERT_TRUE(speed.scale());
  EXPECT_EQ(speed.scale()->unit, "km/s");
  EXPECT_NEAR(speed.scale()->limits.low, 1.01, 0.005);
  EXPECT_NEAR(speed.scale()->limits.high, 1.99, 0.005);
  EXPECT_EQ(speed.of(0, 1e6F), scalar_color(Theme::dark, 1));
  EXPECT_EQ(speed.of(0, 0.5F), scalar_color(Theme::dark, 0));
  EXPECT_LE(distance(speed.of(5, 1.5F), scalar_color(Theme::dark, 0.5)), 3);
  std::vector<std::uint16_t> indices;
  for (std::size_t i = 0; i < 1000; ++i) indices.push_back(speed.index(i, speed_of(run.frames[0], i)));
  EXPECT_EQ(indices[0], 255);
  EXPECT_TRUE(std::is_sorted(indices.begin() + 1, indices.end()));
}

TEST(Coloring, SpeedIsRelativeToTheReference) {
  TestRun run = ball(100);
  const Reference resting("body:1", run.info);
  const Coloring speed("speed", Theme::light, run.info, resting);
  EXPECT_EQ(speed.scale()->limits.low, 0);
  EXPECT_NEAR(speed.scale()->limits.high, 2, 1e-6);
}

TEST(Coloring, WithoutVelocitiesSpeedIsRefused) {
  TestRun run = ball(100);
  run.frames[0].velocity = {};
  run = settled(run);
  try {
    coloring(run, "speed");
    ADD_FAILURE();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), "color_by");
    EXPECT_THAT(error.what(), testing::HasSubstr("velocities"));
  }
}

TEST(Coloring, WideMassRangeIsLogarithmic) {
  TestRun run = circles(4, 2);
  run.info.mass = {1, 10, 100, 1000};
  const Coloring masses = coloring(run, "mass");
  EXPECT_TRUE(masses.scale()->logarithmic);
  EXPECT_EQ(masses.of(0, 0), scalar_color(Theme::dark, 0));
  EXPECT_EQ(masses.of(3, 0), scalar_color(Theme::dark, 1));
  EXPECT_LE(distance(masses.of(1, 0), scalar_color(Theme::dark, 1. / 3)), 3);
  run.info.mass = {2, 2, 2, 2};
  EXPECT_FALSE(coloring(run, "mass").scale()->logarithmic);
  EXPECT_GT(coloring(run, "mass").scale()->limits.length(), 0);
  EXPECT_EQ(coloring(run, "id").of(3, 0), scalar_color(Theme::dark, 1));
}

TEST(Coloring, MapsHaveMonotonicLightness) {
  const auto luminance = [](Color c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; };
  for (int i = 0; i < 20; ++i) {
    const double t = i / 20.0, u = (i + 1) / 20.0;
    EXPECT_LT(luminance(scalar_color(Theme::dark, t)), luminance(scalar_color(Theme::dark, u))) << t;
    EXPECT_GT(luminance(scalar_color(Theme::light, t)), luminance(scalar_color(Theme::light, u)))
        << t << ": the heaviest bodies are not the palest on white";
    EXPECT_LT(luminance(field_color(Theme::dark, t)), luminance(field_color(Theme::dark, u))) << t;
    EXPECT_GT(luminance(field_color(Theme::light, t)), luminance(field_color(Theme::light, u))) << t;
  }
  EXPECT_EQ(field_color(Theme::dark, 0), style(Theme::dark, {800, 600}).background);
}

using Matrix = std::array<std::array<double, 3>, 3>;

/// CIE L*a*b* (D65) of a colour after applying a matrix in linear RGB.
std::array<double, 3> seen_by(const Matrix& eye, Color color) {
  const auto channel = [](std::uint8_t c) {
    const double x = c / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  const auto times = [](const Matrix& m, const std::array<double, 3>& v) {
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) out[i] += m[i][j] * v[j];
    }
    return out;
  };
  auto rgb = times(eye, {channel(color.red), channel(color.green), channel(color.blue)});
  for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
  auto xyz = times({{{.4124, .3576, .1805}, {.2126, .7152, .0722}, {.0193, .1192, .9505}}}, rgb);
  xyz[0] /= 0.9505;
  xyz[2] /= 1.089;
  for (double& x : xyz) x = x > 0.008856 ? std::cbrt(x) : 7.787 * x + 16 / 116.0;
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

TEST(Coloring, LegendColorsAreDistinctWithColorVisionDeficiency) {
  // Normal vision; deuteranopia and protanopia after Machado, Oliveira & Fernandes 2009.
  const std::array<Matrix, 3> eyes{
      {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}}};
  const auto apart = [&](Color a, Color b) {
    double least = 1e300;
    for (const Matrix& eye : eyes) {
      const auto p = seen_by(eye, a), q = seen_by(eye, b);
      least = std::min(least, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
    }
    return least;
  };
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const Style style = render::style(theme, {1600, 1200});
    for (std::size_t i = 0; i < max_names; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GT(apart(body_color(theme, i), body_color(theme, j)), i < 8 ? 15 : 9) << i << " and " << j;
      }
      EXPECT_GT(apart(body_color(theme, i), style.background), 25) << i;
    }
  }
  EXPECT_LT(apart({230, 159, 0}, {176, 164, 20}), 5) << "and a pair that some eyes do not";
}

TEST(Coloring, ScalarHasAColorBarInEveryBodyFigure) {
  for (const std::size_t n : {3U, 500U}) {
    TestRun run = n == 3 ? circles(3, 30) : ball(n);
    run.info.speed_unit = "km/s";
    for (const char* name : {"projection", "projections", "view3d"}) {
      for (const Theme theme : {Theme::light, Theme::dark}) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(n));
        Canvas canvas({800, 600}, theme);
        Arguments arguments = defaults(kind_named(name));
        arguments.set("color_by", std::string("speed"));
        const auto figure = shown(kind_named(name), canvas, run, arguments);
        const Drawing drawing = canvas.drawing(scene_of(*figure));
        bool label = false;
        const Picture* bar = nullptr;
        for (const Shape& shape : drawing.shapes) {
          if (const auto* text = std::get_if<Text>(&shape)) label = label || text->words == "speed [km/s]";
          if (const auto* picture = std::get_if<Picture>(&shape); picture != nullptr && picture->size.width == 2)
            bar = picture;
        }
        EXPECT_TRUE(label);
        ASSERT_NE(bar, nullptr);
        const Image image = canvas.capture(scene_of(*figure));
        const auto seen = [&](float up) {
          return image.at(static_cast<int>(bar->box.middle()),
                          static_cast<int>(bar->box.bottom - up * bar->box.height()));
        };
        for (const float t : {0.1F, 0.5F, 0.9F}) {
          EXPECT_LE(distance(seen(t), scalar_color(theme, static_cast<double>(t))), 12) << t;
        }
      }
    }
  }
}

TEST(Coloring, PathIsColoredByLocalSpeed) {
  TestRun run;  // falls along x from rest, from 0 to 1
  for (int f = 0; f <= 40; ++f) {
    const float t = static_cast<float>(f) / 40;
    run.frames.push_back({static_cast<double>(t), {t * t, 0, 0}, {2 * t, 0, 0}});
  }
  run = settled(run);
  const FigureKind& kind = kind_named("projection");
  Arguments arguments = defaults(kind);
  arguments.set("color_by", std::string("speed"));
  arguments.set("limits", std::vector<double>{-0.5, 1.5, -1, 1});
  arguments.set("line_width", 1.5);
  Canvas canvas({900, 700});
  const auto figure = shown(kind, canvas, run, arguments);
  const Image image = canvas.capture(scene_of(*figure));
  const Box box = plot_box(image, canvas.style());
  for (const double x : {0.16, 0.36, 0.64}) {  // where the speed is 2√x, of about 2
    const Color seen = pixel(image, box, (x + 0.5) / 2, 0.5);
    EXPECT_LE(distance(seen, scalar_color(Theme::light, std::sqrt(x))), 24) << x;
  }
}

constexpr Size awkward_sizes[] = {{1021, 577}, {333, 251}, {97, 131}};  // the last one has no room for a colour bar

Color color_in(const Picture& picture, std::size_t pixel) {
  const std::uint8_t* p = &picture.rgba[4 * pixel];
  return {p[0], p[1], p[2], p[3]};
}

bool is_bar(const Picture& picture) {
  return picture.size == Size{2, 256};
}

/// The colours of the colour bar, from its lower end; empty without one.
std::vector<Color> bar_colors(const Drawing& drawing) {
  std::vector<Color> colors;
  for (const Shape& shape : drawing.shapes) {
    const auto* picture = std::get_if<Picture>(&shape);
    if (picture == nullptr || !is_bar(*picture)) continue;
    for (std::size_t row = 256; row-- > 0;) colors.push_back(color_in(*picture, 2 * row));
  }
  return colors;
}

/// The colours of discs and balls, of scenes in perspective too.
std::vector<Color> fills_of(const std::vector<Shape>& shapes) {
  std::vector<Color> fills;
  for (const Shape& shape : shapes) {
    if (const auto* disc = std::get_if<Disc>(&shape)) fills.push_back(disc->fill);
    if (const auto* ball = std::get_if<Ball>(&shape)) fills.push_back(ball->color);
    if (const auto* space = std::get_if<Space>(&shape)) {
      const std::vector<Color> within = fills_of(space->scene->shapes());
      fills.insert(fills.end(), within.begin(), within.end());
    }
  }
  return fills;
}

/// The number of faint pixels, whose colour is that of bodies, of about this colour in point clouds.
int in_clouds(const Drawing& drawing, Color color) {
  int found = 0;
  for (const Shape& shape : drawing.shapes) {
    const auto* picture = std::get_if<Picture>(&shape);
    if (picture == nullptr || is_bar(*picture)) continue;
    for (std::size_t i = 0; i < picture->rgba.size() / 4; ++i) {
      const Color seen = color_in(*picture, i);
      found += seen.alpha > 4 && seen.alpha < 150 && distance(seen, color) <= 3 ? 1 : 0;
    }
  }
  return found;
}

/// The keys of a figure of bodies, or of panels with a projection. Empty values are left out.
Arguments colored(const FigureKind& kind, const std::string& by, std::string_view map) {
  const bool parted = kind.name == "panels";
  Arguments keys = defaults(parted ? kind_named("projection") : kind);
  if (!by.empty()) keys.set("color_by", by);
  if (!map.empty()) keys.set("colormap", std::string(map));
  if (!parted) return keys;
  keys.set("kind", std::string("projection"));
  Arguments whole_picture = defaults(kind);
  whole_picture.set("part", std::vector<Arguments>{keys});
  return whole_picture;
}

/// The colours of a scale with this map, or by default.
std::vector<Color> expected_colors(std::string_view map, Theme theme, Color (*of_theme)(Theme, double)) {
  if (!map.empty()) return colormap_colors(map);
  std::vector<Color> colors;
  for (int i = 0; i < 256; ++i) colors.push_back(of_theme(theme, i / 255.0));
  return colors;
}

TEST(Coloring, FewBodiesAndTheirBarHaveTheColorsOfTheMapOrOfTheTheme) {
  const TestRun run = circles(3, 30);
  for (const char* name : {"projection", "projections", "view3d", "snapshots", "panels"}) {
    const FigureKind& kind = kind_named(name);
    for (const std::string_view map : {"", "viridis", "magma", "cividis", "turbo", "coolwarm"}) {
      for (const Theme theme : {Theme::light, Theme::dark}) {
        const std::vector<Color> colors = expected_colors(map, theme, scalar_color);
        for (const Size size : awkward_sizes) {
          SCOPED_TRACE(std::string(name) + " " + std::string(map) + " " + std::to_string(size.width));
          Canvas canvas(size, theme);
          const auto figure = shown(kind, canvas, run, colored(kind, "id", map));
          const Drawing drawing = canvas.drawing(scene_of(*figure));
          EXPECT_TRUE(bar_colors(drawing) == (size.width > 100 ? colors : std::vector<Color>{}));
          EXPECT_THAT(fills_of(drawing.shapes), testing::IsSupersetOf({colors[0], colors[128], colors[255]}));
        }
      }
    }
  }
}

TEST(Coloring, APointCloudAndItsBarHaveTheColorsOfTheMapOrOfTheTheme) {
  TestRun run = ball(600);  // slow bodies on the left, fast ones on the right
  for (std::size_t i = 0; i < 600; ++i) run.frames[0].position.edit()[3 * i] += i % 2 == 0 ? -3.F : 3.F;
  run = settled(run);
  for (const char* name : {"projection", "projections", "view3d", "snapshots", "panels"}) {
    const FigureKind& kind = kind_named(name);
    for (const std::string_view map : {"", "viridis", "turbo", "coolwarm"}) {
      const std::vector<Color> colors = expected_colors(map, Theme::light, scalar_color);
      for (const Size size : {awkward_sizes[0], awkward_sizes[1]}) {
        SCOPED_TRACE(std::string(name) + " " + std::string(map) + " " + std::to_string(size.width));
        Canvas canvas(size);
        const auto figure = shown(kind, canvas, run, colored(kind, "speed", map));
        const Drawing drawing = canvas.drawing(scene_of(*figure));
        EXPECT_TRUE(bar_colors(drawing) == colors);
        EXPECT_GE(in_clouds(drawing, colors.front()), 10);
        EXPECT_GE(in_clouds(drawing, colors.back()), 10);
      }
    }
  }
}

TEST(Coloring, AFieldHasTheColorsOfTheMapFromItsFirstOnOrThoseOfTheTheme) {
  const FigureKind& kind = kind_named("density");
  const TestRun run = ball(700);
  for (const std::string_view map : {"", "viridis", "magma", "cividis", "turbo", "coolwarm"}) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      const std::vector<Color> colors = expected_colors(map, theme, field_color);
      for (const Size size : awkward_sizes) {
        SCOPED_TRACE(std::string(map) + " " + std::to_string(size.width));
        Arguments arguments = defaults(kind);
        arguments.set("limits", std::vector<double>{-4, 4, -3, 3});
        if (!map.empty()) arguments.set("colormap", std::string(map));
        Canvas canvas(size, theme);
        const auto figure = shown(kind, canvas, run, arguments);
        const Drawing drawing = canvas.drawing(scene_of(*figure));
        EXPECT_TRUE(bar_colors(drawing) == (size.width > 100 ? colors : std::vector<Color>{}));
        const Picture* field = nullptr;
        for (const Shape& shape : drawing.shapes) {
          if (const auto* picture = std::get_if<Picture>(&shape); picture != nullptr && field == nullptr)
            field = picture;
        }
        ASSERT_NE(field, nullptr);
        EXPECT_EQ(color_in(*field, 0), map.empty() ? canvas.style().background : colors.front()) << "without bodies";
        const auto channels = [](Color c) { return std::tuple(c.red, c.green, c.blue, c.alpha); };
        std::set<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t>> known, seen;
        for (const Color color : colors) known.insert(channels(color));
        for (std::size_t i = 0; i < field->rgba.size() / 4; ++i) seen.insert(channels(color_in(*field, i)));
        EXPECT_TRUE(std::ranges::includes(known, seen));
        EXPECT_GT(seen.size(), 10U);
      }
    }
  }
}

TEST(Coloring, EveryFigureWithAScaleHasTheKey) {
  int scales = 0;
  for (const FigureKind* kind : figure_kinds()) {
    const auto has = [&](std::string_view key) {
      return std::ranges::find(kind->parameters, key, &Parameter::name) != kind->parameters.end();
    };
    const bool scale = has("color_by") || kind->name == "density" || kind->name == "matrix";
    EXPECT_EQ(has("colormap"), scale) << kind->name;
    scales += scale ? 1 : 0;
  }
  EXPECT_EQ(scales, 6);
}

/// Checks that a figure is refused for its colour map with these words.
void expect_map_refused(const FigureKind& kind, const Arguments& arguments, const std::string& words) {
  const TestRun run = circles(3, 4);
  Canvas canvas({641, 479});
  try {
    made(kind, canvas, run.info, arguments, whole);
    ADD_FAILURE() << kind.name << ": " << words;
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), kind.name == "panels" ? "part[0].colormap" : "colormap");
    EXPECT_THAT(error.what(), testing::HasSubstr(words));
  }
}

TEST(Coloring, AnUnknownMapIsRefusedWithTheNamesThereAre) {
  for (const char* name : {"projection", "projections", "view3d", "snapshots", "panels", "density", "matrix"}) {
    const FigureKind& kind = kind_named(name);
    const bool field = kind.name == "density" || kind.name == "matrix";
    expect_map_refused(kind, colored(kind, field ? "" : "id", "jet"), "viridis, magma, cividis, turbo, coolwarm");
  }
}

TEST(Coloring, AMapForColorsOfBodiesAndComponentsIsRefused) {
  for (const char* name : {"projection", "projections", "view3d", "snapshots", "panels"}) {
    const FigureKind& kind = kind_named(name);
    expect_map_refused(kind, colored(kind, "", "magma"), "stand for bodies");
    expect_map_refused(kind, colored(kind, "body", "magma"), "stand for bodies");
    expect_map_refused(kind, colored(kind, "component", "magma"), "set `color_by` to speed, mass, density or id");
  }
}

}  // namespace
}  // namespace orrery::render
