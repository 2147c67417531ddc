// SPDX-License-Identifier: MIT
// Synthetic runs for the tests of figures, and inspection of what was drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "charts.hpp"
#include "render/canvas/canvas.hpp"
#include "render/figure.hpp"
#include "render/point_cloud/accumulation_buffer.hpp"

namespace orrery::render {

inline constexpr Trails whole{std::numeric_limits<double>::infinity()};

/// A canvas and the drawing on it.
struct DrawnScene {
  Canvas canvas;
  Scene scene;
  [[nodiscard]] Image capture() const { return canvas.capture(scene); }
  void save(const std::filesystem::path& file, const Provenance& provenance = {},
            Replacing replacing = Replacing::ours) const {
    canvas.save(scene, file, provenance, replacing);
  }
};

struct TestRun {
  RunInfo info;
  std::vector<Frame> frames;
};

/// Fills in the run information that follows from the frames.
inline TestRun settled(TestRun run) {
  Extent& box = run.info.extent;
  box.low.fill(1e300);
  box.high.fill(-1e300);
  for (const Frame& frame : run.frames) {
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      box.low[i % 3] = std::min(box.low[i % 3], static_cast<double>(frame.position[i]));
      box.high[i % 3] = std::max(box.high[i % 3], static_cast<double>(frame.position[i]));
    }
  }
  run.info.start = run.frames.front().time;
  run.info.end = run.frames.back().time;
  run.info.mass.edit().resize(run.frames.front().size(), 1.0);
  run.info.samples = run.frames;
  return run;
}

/// `n` bodies on circles around the origin with radii (i + 1)/n, in planes of increasing inclination.
inline TestRun circles(std::size_t n, int frames, double turns = 1, double tilt = 0.3) {
  TestRun run;
  run.info.title = "Circles";
  for (std::size_t i = 0; i < n; ++i) run.info.names.edit().push_back("body " + std::to_string(i));
  for (int f = 0; f < frames; ++f) {
    Frame frame;
    frame.time = static_cast<double>(f) / std::max(1, frames - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const double r = static_cast<double>(i + 1) / static_cast<double>(n), w = 2 * M_PI * turns;
      const double a = w * frame.time + static_cast<double>(i), c = std::cos(tilt * static_cast<double>(i)),
                   s = std::sin(tilt * static_cast<double>(i));
      const double x = r * std::cos(a), y = r * std::sin(a), u = -w * y, v = w * x;
      for (const double q : {x, y * c, y * s}) frame.position.edit().push_back(static_cast<float>(q));
      for (const double q : {u, v * c, v * s}) frame.velocity.edit().push_back(static_cast<float>(q));
    }
    run.frames.push_back(frame);
  }
  return settled(run);
}

/// A ball of `n` bodies in two components, with speeds 1 and 3.
inline TestRun ball(std::size_t n, int frames = 1) {
  TestRun run;
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 0.4F);
  for (int f = 0; f < frames; ++f) {
    Frame frame;
    frame.time = f;
    for (std::size_t i = 0; i < 3 * n; ++i) frame.position.edit().push_back(normal(random));
    for (std::size_t i = 0; i < n; ++i) {
      frame.velocity.edit().insert(frame.velocity.edit().end(), {0, 0, i % 2 == 0 ? 1.F : 3.F});
    }
    run.frames.push_back(frame);
  }
  for (std::size_t i = 0; i < n; ++i) run.info.species.edit().push_back(i % 2 == 0 ? 0 : 1);
  run.info.components = {"disk", "bulge"};
  return settled(run);
}

inline const FigureKind& kind_named(std::string_view name) {
  for (const FigureKind* kind : all_kinds()) {
    if (kind->name == name) return *kind;
  }
  throw std::out_of_range(std::string(name));
}

/// The arguments that the scenario reader passes if no key is given.
inline Arguments defaults(const FigureKind& kind) {
  Arguments arguments;
  for (const Parameter& p : kind.parameters) {
    const std::string text(p.fallback);
    if (text.empty()) continue;
    if (p.kind == Kind::text) arguments.set(p.name, text.substr(1, text.size() - 2));
    if (p.kind == Kind::boolean) arguments.set(p.name, text == "true");
    if (p.kind == Kind::number) arguments.set(p.name, std::stod(text));
    if (p.kind == Kind::integer) arguments.set(p.name, std::int64_t{std::stoi(text)});
  }
  if (kind.name == "panels") {
    std::vector<Arguments> parts;
    for (const char* name : {"view3d", "energy-error"}) {
      parts.push_back(defaults(kind_named(name)));
      parts.back().set("kind", std::string(name));
    }
    arguments.set("part", std::move(parts));
  }
  return arguments;
}

/// A figure of a kind that needs no charts.
inline std::unique_ptr<Figure> made(const FigureKind& kind, const Canvas& canvas, const RunInfo& info,
                                    const Arguments& arguments, Trails trails = whole) {
  return kind.make(canvas, info, arguments, trails, {});
}

/// A figure of these charts.
inline std::unique_ptr<Figure> made(const std::vector<Chart>& charts, const Canvas& canvas, const RunInfo& info,
                                    const Arguments& arguments = {}, Trails trails = whole) {
  return make_chart(canvas, info, arguments, trails, {&charts, 1});
}

/// The figure after all frames; of a chart the example of that name.
inline std::unique_ptr<Figure> shown(const FigureKind& kind, Canvas& canvas, const TestRun& run,
                                     const Arguments& arguments, Trails trails = whole) {
  std::vector<std::vector<Chart>> charts;
  if (kind.is_chart()) charts.push_back(charts_for(kind.name, run.info, !trails.still));
  if (kind.name == "panels") charts.assign(arguments.records("part").size(), charts_of_a_part(run.info));
  auto figure = kind.make(canvas, run.info, arguments, trails, charts);
  for (const Frame& frame : run.frames) figure->show(frame);
  return figure;
}

/// The figure refers to the run.
std::unique_ptr<Figure> shown(const FigureKind&, Canvas&, TestRun&&, const Arguments&, Trails = whole) = delete;

inline void add_dots(AccumulationBuffer& light, const std::vector<Dot>& dots, const std::vector<Color>& palette,
                     float sigma, float gain) {
  const auto some = [&](std::size_t first, std::span<Dot> to) { std::copy_n(&dots[first], to.size(), to.begin()); };
  light.add(dots.size(), some, palette, sigma, gain);
}

/// The drawing with the shapes of its layers in their place.
inline Drawing without_layers(const Drawing& drawing) {
  Drawing flat{drawing.size, drawing.background, drawing.scale, {}};
  for (const Shape& shape : drawing.shapes) {
    const auto* layered = std::get_if<Layered>(&shape);
    for (Shape& s : layered == nullptr ? std::vector{shape} : shapes_of(*layered)) flat.shapes.push_back(std::move(s));
  }
  return flat;
}

inline int distance(Color a, Color b) {
  return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

/// The number of pixels of about this colour.
inline int count(const Image& image, Color color, int tolerance = 10) {
  int n = 0;
  for (int y = 0; y < image.size.height; ++y) {
    for (int x = 0; x < image.size.width; ++x) n += distance(image.at(x, y), color) <= tolerance ? 1 : 0;
  }
  return n;
}

/// The frame of a plot found in the pixels: the longest lines of the frame's colour.
inline Box plot_box(const Image& image, const Style& style) {
  Box box{1e9F, 1e9F, -1, -1};
  const auto is_frame = [&](int x, int y) { return distance(image.at(x, y), style.frame) < 24; };
  for (int x = 0; x < image.size.width; ++x) {
    int n = 0;
    for (int y = 0; y < image.size.height; ++y) n += is_frame(x, y) ? 1 : 0;
    if (n * 3 < image.size.height) continue;
    box.left = std::min(box.left, static_cast<float>(x) + 0.5F);
    box.right = std::max(box.right, static_cast<float>(x) + 0.5F);
  }
  for (int y = 0; y < image.size.height; ++y) {
    int n = 0;
    for (int x = 0; x < image.size.width; ++x) n += is_frame(x, y) ? 1 : 0;
    if (n * 3 < image.size.width) continue;
    box.top = std::min(box.top, static_cast<float>(y) + 0.5F);
    box.bottom = std::max(box.bottom, static_cast<float>(y) + 0.5F);
  }
  if (box.right < 0 || box.bottom < 0) throw std::runtime_error("no frame in the picture");
  return box;
}

/// The pixel at given fractions of the width (from the left) and height (from the bottom) of a box.
inline Color pixel(const Image& image, const Box& box, double right, double up) {
  const auto r = static_cast<float>(right), u = static_cast<float>(up);
  return image.at(static_cast<int>(box.left + r * box.width()), static_cast<int>(box.bottom - u * box.height()));
}

/// A temporary folder for a test, removed afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-render-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace orrery::render
