// SPDX-License-Identifier: MIT
// Every figure looks like its reference picture; and defects would be detected.
#include "golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "render/canvas/text.hpp"

namespace orrery::render {
namespace {

/// Returns an image whose pixels are means of `factor` x `factor` pixels; the sides must be multiples of `factor`.
Image reduced(const Image& image, int factor) {
  if (factor == 1) return image;
  Image small{{image.size.width / factor, image.size.height / factor}, {}};
  const auto f = static_cast<std::size_t>(factor);
  const std::size_t columns = 3 * static_cast<std::size_t>(small.size.width), stride = columns * f;
  const auto count = static_cast<unsigned>(factor * factor);
  small.rgb.resize(columns * static_cast<std::size_t>(small.size.height));
  std::vector<unsigned> sum(columns);
  for (std::size_t y = 0; y < static_cast<std::size_t>(small.size.height); ++y) {
    std::fill(sum.begin(), sum.end(), count / 2);
    for (std::size_t v = 0; v < f; ++v) {
      const std::uint8_t* row = image.rgb.data() + (y * f + v) * stride;
      for (std::size_t x = 0; x < stride; ++x) sum[x / (3 * f) * 3 + x % 3] += row[x];
    }
    for (std::size_t x = 0; x < columns; ++x) small.rgb[y * columns + x] = static_cast<std::uint8_t>(sum[x] / count);
  }
  return small;
}

constexpr Size size{640, 480};
constexpr Size label_size{160, 40};  ///< about a label, before it is halved

Image small(const Image& image) {
  return reduced(image, 8);
}

Drawing drawing_of(const FigureKind& kind, Theme theme) {
  const TestRun run = kind.name == "density" ? ball(4000, 2) : circles(3, 200);
  Canvas canvas(size, theme);
  const auto figure = shown(kind, canvas, run, defaults(kind));
  return canvas.drawing(scene_of(*figure));
}

Image pixels_of(const Drawing& drawing, Theme theme) {
  return Canvas(size, theme).capture([&](Drawing& on) { on.place(drawing, {0, 0}); });
}

/// "energy-error label 0" and so on: close-ups of its texts that are no numbers.
std::vector<Text> labels_of(const Drawing& drawing) {
  std::vector<Text> labels;
  for (const Shape& shape : drawing.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text != nullptr && text->color.alpha > 0 && text->words.find_first_of("0123456789") == std::string::npos &&
        !text->words.starts_with("−") && text->words.size() > 3)
      labels.push_back(*text);
  }
  return labels;
}

Image label_in(const Image& image, const Text& label) {
  const Box box = room_of(label);
  const Size room = label.upwards ? Size{label_size.height, label_size.width} : label_size;
  return reduced(crop(image, {box.middle(), (box.top + box.bottom) / 2}, room), 2);
}

std::string name_of(const FigureKind& kind, Theme theme) {
  return std::string(kind.name) + (theme == Theme::light ? "" : "-dark");
}

std::string told(const Difference& d) {
  return "mean " + std::to_string(d.mean) + ", 99 % below " + std::to_string(d.high) +
         "; where the change is meant: see CONTRIBUTING.md";
}

bool is_kept(const FigureKind& kind, Theme theme) {
  constexpr std::string_view dark_too[] = {"view3d", "density", "panels", "elements"};
  return theme == Theme::light || std::ranges::find(dark_too, kind.name) != std::end(dark_too);
}

TEST(Golden, EveryKindEqualsTheReference) {
  for (const FigureKind* kind : all_kinds()) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      if (!is_kept(*kind, theme)) continue;
      const Image image = pixels_of(drawing_of(*kind, theme), theme);
      const Difference d = from_golden(name_of(*kind, theme), small(image));
      EXPECT_TRUE(passes(d)) << name_of(*kind, theme) << ": " << told(d);
    }
  }
}

/// Two of three bodies cross the ends of a box repeatedly: periodic along x, reflecting along y.
TestRun boxed(int dimensions) {
  TestRun run;
  run.info.title = "Box";
  run.info.bounds = {.dimensions = dimensions,
                     .low = {0, 0, 0},
                     .high = {2, 1, dimensions == 3 ? 1.0 : 0},
                     .closed = {true, true, dimensions == 3},
                     .periodic = {true, false, dimensions == 3}};
  for (int f = 0; f <= 60; ++f) {
    Frame frame{.time = f / 60.0, .position = {}, .velocity = {}};
    for (int i = 0; i < 3; ++i) {
      const double x = 0.3 + 0.5 * i + 2.2 * (i - 1) * frame.time, y = 0.5 + 0.4 * std::sin(9 * frame.time + i),
                   z = dimensions == 3 ? 0.2 + 0.3 * i + 0.8 * frame.time : 0;
      for (const double q : {x - 2 * std::floor(x / 2), y, z - std::floor(z)})
        frame.position.edit().push_back(static_cast<float>(q));
      for (const double q : {2.2 * (i - 1), 3.6 * std::cos(9 * frame.time + i), dimensions == 3 ? 0.8 : 0})
        frame.velocity.edit().push_back(static_cast<float>(q));
    }
    run.frames.push_back(frame);
  }
  return settled(run);
}

TEST(Golden, BoxesEqualTheReference) {
  const auto look_at = [](const std::string& name, std::string_view kind, int dimensions, double zoom) {
    Canvas canvas(size);
    Arguments keys = defaults(kind_named(kind));
    keys.set("zoom", zoom);
    const TestRun run = boxed(dimensions);
    const auto figure = shown(kind_named(kind), canvas, run, keys);
    const Difference d = from_golden(name, small(canvas.capture(scene_of(*figure))));
    EXPECT_TRUE(passes(d)) << name << ": " << told(d);
  };
  look_at("box-plane", "projection", 2, 1);
  look_at("box-around", "projection", 2, 0.8);
  look_at("box-space", "view3d", 3, 1);
}

TEST(Golden, LabelsEqualTheReference) {
  const Drawing drawing = drawing_of(kind_named("energy-error"), Theme::light);
  const Image image = pixels_of(drawing, Theme::light);
  const auto labels = labels_of(drawing);
  ASSERT_GE(labels.size(), 2U);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Difference d = from_golden("label-" + std::to_string(i), label_in(image, labels[i]));
    EXPECT_TRUE(passes(d, label_tolerance)) << labels[i].words << ": " << told(d);
  }
}

/// A shift by half a pixel, and darker or lighter edges: larger than the differences between machines.
Image elsewhere(const Image& image, double gamma) {
  Image other = image;
  for (std::size_t c = 3; c < image.rgb.size(); ++c) {
    const double half = (image.rgb[c] + image.rgb[c - 3]) / 510.0;
    other.rgb[c] = static_cast<std::uint8_t>(std::lround(255 * std::pow(half, gamma)));
  }
  return other;
}

TEST(Golden, DifferentRasteriserPasses) {
  for (const double gamma : {0.9, 1.0, 1.1}) {
    for (const FigureKind* kind : all_kinds()) {
      for (const Theme theme : {Theme::light, Theme::dark}) {
        // Gamma affects more than edges here: light, cells, and the fill of bands.
        const bool shades =
            theme == Theme::dark || kind->name == "density" || kind->name == "matrix" || kind->name == "convergence";
        if ((shades && gamma != 1) || !is_kept(*kind, theme)) continue;
        const Image image = elsewhere(pixels_of(drawing_of(*kind, theme), theme), gamma);
        const Difference d = difference(blurred(small(image)), golden(name_of(*kind, theme)));
        EXPECT_TRUE(passes(d)) << name_of(*kind, theme) << ", " << gamma << ": " << told(d);
      }
    }
    const Drawing drawing = drawing_of(kind_named("energy-error"), Theme::light);
    const Image image = elsewhere(pixels_of(drawing, Theme::light), gamma);
    const auto labels = labels_of(drawing);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Difference d = difference(blurred(label_in(image, labels[i])), golden("label-" + std::to_string(i)));
      EXPECT_TRUE(passes(d, label_tolerance)) << labels[i].words << ", " << gamma << ": " << told(d);
    }
  }
}

/// A picture with `fault` applied to the curves of the first colour.
Difference with_curves(std::string_view name, const std::function<void(Line&)>& fault) {
  Drawing drawing = drawing_of(kind_named(name), Theme::light);
  int curves = 0;
  for (Shape& shape : drawing.shapes) {
    auto* line = std::get_if<Line>(&shape);
    if (line == nullptr || line->points.size() < 3 || distance(line->colors.front(), body_color(Theme::light, 0)) > 0)
      continue;
    fault(*line);
    ++curves;
  }
  EXPECT_GE(curves, 1) << name;
  return difference(blurred(small(pixels_of(drawing, Theme::light))), golden(std::string(name)));
}

constexpr const char* of_curves[] = {"separation",       "projection",     "projections",
                                     "elements",         "energy-error",   "divergence",
                                     "conserved",        "virial",         "phase",
                                     "lagrangian-radii", "rotation-curve", "mean-square-displacement",
                                     "pair-correlation", "thermodynamics"};

TEST(Golden, MissingCurveIsDetected) {
  for (const char* name : of_curves) {
    const Difference d = with_curves(name, [](Line& line) { line.points.resize(1), line.colors.resize(1); });
    EXPECT_FALSE(passes(d)) << name << ": " << told(d);
  }
}

TEST(Golden, WrongColorIsDetected) {
  for (const char* name : of_curves) {
    const Difference d = with_curves(name, [](Line& line) { line.colors.assign(1, body_color(Theme::light, 1)); });
    EXPECT_FALSE(passes(d)) << name << ": " << told(d);
  }
}

TEST(Golden, BlackFrameIsDetected) {
  Image black{size, {}};
  black.rgb.resize(pixels_of(drawing_of(kind_named("separation"), Theme::light), Theme::light).rgb.size());
  for (const FigureKind* kind : all_kinds()) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      if (!is_kept(*kind, theme)) continue;
      const Difference d = difference(blurred(small(black)), golden(name_of(*kind, theme)));
      EXPECT_FALSE(passes(d)) << name_of(*kind, theme) << ": " << told(d);
    }
  }
}

TEST(Golden, DamagedLabelIsDetected) {
  const Drawing drawing = drawing_of(kind_named("energy-error"), Theme::light);
  const auto labels = labels_of(drawing);
  int subscripts = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string name = "label-" + std::to_string(i);
    Drawing cut = drawing;
    Box half = room_of(labels[i]);
    if (labels[i].upwards) {
      half.bottom = half.top + half.height() / 3;
    } else {
      half.left = half.right - half.width() / 3;
    }
    cut.fill(half, cut.background);
    const Difference d = difference(blurred(label_in(pixels_of(cut, Theme::light), labels[i])), golden(name));
    EXPECT_FALSE(passes(d, label_tolerance)) << labels[i].words << ": " << told(d);
    const auto zero = labels[i].words.find("₀");
    if (zero == std::string::npos) continue;
    ++subscripts;
    Drawing without = drawing;
    for (Shape& shape : without.shapes) {
      auto* text = std::get_if<Text>(&shape);
      if (text != nullptr && text->words == labels[i].words) text->words.erase(zero, std::string("₀").size());
    }
    const Difference e = difference(blurred(label_in(pixels_of(without, Theme::light), labels[i])), golden(name));
    EXPECT_FALSE(passes(e, label_tolerance)) << labels[i].words << ": " << told(e);
  }
  EXPECT_GE(subscripts, 1);
}

}  // namespace
}  // namespace orrery::render
