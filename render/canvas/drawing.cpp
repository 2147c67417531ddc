// SPDX-License-Identifier: MIT
#include "render/canvas/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "common/utf8.hpp"

namespace orrery::render {
namespace {

std::uint8_t between(std::uint8_t a, std::uint8_t b, double t) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * std::clamp(t, 0.0, 1.0)));
}

float distance_to_chord(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
  // Beyond the ends of the chord use the distance to the end, so that turning points stay.
  const float along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / length;
  if (along < 0) return std::hypot(p.x - a.x, p.y - a.y);
  if (along > length) return std::hypot(p.x - b.x, p.y - b.y);
  return std::abs((p.x - a.x) * dy - (p.y - a.y) * dx) / length;
}

/// Returns the colour of a lit surface with this unit normal (x right, y down, z to the viewer).
Color lit(Color color, double x, double y, double z) {
  constexpr double lx = -0.48, ly = -0.56, lz = 0.675;  // towards the light; a unit vector
  const double cosine = x * lx + y * ly + z * lz;
  const double diffuse = 0.42 + 0.62 * std::pow(std::max(0.0, 0.5 + 0.5 * cosine), 1.4);
  // Blinn's half vector between light and viewer (0, 0, 1).
  constexpr double h = 1.8303;  // |l + e|
  const double gloss = 0.55 * std::pow(std::max(0.0, (x * lx + y * ly + z * (lz + 1)) / h), 42);
  const auto channel = [&](std::uint8_t c) {
    return static_cast<std::uint8_t>(std::lround(std::min(255.0, c * std::min(1.0, diffuse) + (255 - c) * gloss)));
  };
  return {channel(color.red), channel(color.green), channel(color.blue), color.alpha};
}

}  // namespace

std::string in_one_line(std::string_view words) {
  constexpr int most = 2000;  // letters; more than fit on any canvas
  std::string line;
  int letters = 0;
  for (std::size_t i = 0; i < words.size() && letters < most;) {
    const Letter letter = first_letter(words.substr(i));
    i += letter.bytes;
    if (!letter.valid) continue;
    if (letter.code == '\r' && words.substr(i, 1) == "\n") continue;  // one newline
    ++letters;
    const bool blank = letter.code == '\n' || letter.code == '\r' || letter.code == '\t';
    append_utf8(line, blank ? U' ' : is_control(letter.code) ? U'□' : letter.code);
  }
  return line;
}

bool alike(Color a, Color b) {
  const auto near = [](std::uint8_t p, std::uint8_t q) { return std::abs(p - q) <= 8; };
  return near(a.red, b.red) && near(a.green, b.green) && near(a.blue, b.blue) && near(a.alpha, b.alpha);
}

Color faded(Color color, double opacity) {
  color.alpha = static_cast<std::uint8_t>(std::lround(color.alpha * std::clamp(opacity, 0.0, 1.0)));
  return color;
}

Color mixed(Color a, Color b, double t) {
  return {between(a.red, b.red, t), between(a.green, b.green, t), between(a.blue, b.blue, t),
          between(a.alpha, b.alpha, t)};
}

void Drawing::outline(const Box& box, Color color, float width) {
  // Start in the middle of a side, so that all corners get a join.
  add(Line{{{box.middle(), box.top},
            {box.right, box.top},
            {box.right, box.bottom},
            {box.left, box.bottom},
            {box.left, box.top},
            {box.middle(), box.top}},
           {color},
           width});
}

void Drawing::fill(const Box& box, Color color) {
  add(Area{{{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}}, color});
}

Shades shades_of(Color color) {
  // Along the diameter towards the light, from the highlight at -0.42 to the far edge at 1.
  constexpr double start = -0.42, dx = 0.651, dy = 0.759;
  Shades shades{start * dx, start * dy, 1 - start, {}};
  for (int i = 0; i <= 10; ++i) {
    const double s = start + (1 - start) * i / 10.0;
    shades.stops.push_back({i / 10.0, lit(color, s * dx, s * dy, std::sqrt(std::max(0.0, 1 - s * s)))});
  }
  return shades;
}

std::vector<Stretch> stretches(const Line& line) {
  std::vector<Stretch> all;
  const std::size_t n = line.points.size();
  const bool colored = line.colors.size() == n;
  for (std::size_t from = 0; from + 1 < n;) {
    std::size_t to = n - 1;
    if (colored) {
      for (to = from + 1; to + 1 < n && alike(line.colors[to], line.colors[from]);) ++to;
    }
    const Color color = line.colors[colored ? from : 0];
    all.push_back({from, to, color, !colored || color.alpha == 255});
    from = to;
  }
  return all;
}

Line with_gradual_colors(const Line& line) {
  if (line.colors.size() != line.points.size() || line.points.empty()) return line;
  Line gradual{{line.points.front()}, {line.colors.front()}, line.width};
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point a = line.points[i - 1], b = line.points[i];
    const Color from = line.colors[i - 1], to = line.colors[i];
    const auto apart = [](std::uint8_t p, std::uint8_t q) { return std::abs(p - q); };
    const int most = std::max(
        {apart(from.red, to.red), apart(from.green, to.green), apart(from.blue, to.blue), apart(from.alpha, to.alpha)});
    const int steps = (most + 7) / 8;
    for (int k = 1; k < steps; ++k) {
      const float s = static_cast<float>(k) / static_cast<float>(steps);
      gradual.points.push_back({a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)});
      gradual.colors.push_back(mixed(from, to, static_cast<double>(s)));
    }
    gradual.points.push_back(b);
    gradual.colors.push_back(to);
  }
  return gradual;
}

void Drawing::place(Drawing part, Point at) {
  const auto move = [at](Point& p) { p = {p.x + at.x, p.y + at.y}; };
  const auto move_box = [at](Box& b) { b = {b.left + at.x, b.top + at.y, b.right + at.x, b.bottom + at.y}; };
  const Box whole{0, 0, static_cast<float>(part.size.width), static_cast<float>(part.size.height)};
  const auto moved = [&]<class T>(T& shape) {
    if constexpr (std::is_same_v<T, Line> || std::is_same_v<T, Area>) {
      for (Point& p : shape.points) move(p);
    } else if constexpr (std::is_same_v<T, Text> || std::is_same_v<T, Space> || std::is_same_v<T, Layered>) {
      move(shape.at);
    } else if constexpr (std::is_same_v<T, Picture>) {
      move_box(shape.box);
    } else if constexpr (std::is_same_v<T, Clip>) {
      if (!shape.box) shape.box = whole;
      move_box(*shape.box);
    } else {
      move(shape.center);
    }
  };
  Clip edge;
  moved(edge);
  add(edge);
  for (Shape& shape : part.shapes) {
    std::visit(moved, shape);
    add(std::move(shape));
  }
  add(Clip{});
}

std::vector<Shape> shapes_of(const Layered& layered) {
  Drawing placed;
  placed.place(layered.layer->content(), layered.at);
  return placed.shapes;
}

Line thinned(Line line, float tolerance) {
  const std::size_t n = line.points.size();
  if (n < 3) return line;
  const bool colored = line.colors.size() == n;
  // The maximum number of points between two that stay, which bounds the cost of the check below.
  constexpr std::size_t reach = 32;
  std::vector<std::size_t> kept{0};
  for (std::size_t next = 2; next < n; ++next) {
    const std::size_t from = kept.back();
    bool straight = next - from <= reach;
    for (std::size_t k = from + 1; straight && k < next; ++k) {
      straight = distance_to_chord(line.points[k], line.points[from], line.points[next]) <= tolerance;
      if (!colored || !straight) continue;
      const double along = static_cast<double>(k - from) / static_cast<double>(next - from);
      straight = alike(line.colors[k], mixed(line.colors[from], line.colors[next], along));
    }
    if (!straight) kept.push_back(next - 1);
  }
  kept.push_back(n - 1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    line.points[i] = line.points[kept[i]];
    if (colored) line.colors[i] = line.colors[kept[i]];
  }
  line.points.resize(kept.size());
  if (colored) line.colors.resize(kept.size());
  return line;
}

std::vector<Patch> patches(const Picture& picture) {
  const auto width = static_cast<std::size_t>(picture.size.width),
             height = static_cast<std::size_t>(picture.size.height);
  if (!picture.cells || width * height > max_cells) return {};
  const auto edge = [](float from, float length, std::size_t k, std::size_t all) {
    return from + length * static_cast<float>(k) / static_cast<float>(all);
  };
  std::map<std::uint32_t, std::size_t> places;
  std::vector<Patch> all;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0, end = 0; x < width; x = end) {
      std::uint32_t color = 0, next = 0;
      const std::uint8_t* row = picture.rgba.data() + 4 * y * width;
      std::memcpy(&color, row + 4 * x, sizeof color);
      for (end = x + 1; end < width; ++end) {
        std::memcpy(&next, row + 4 * end, sizeof next);
        if (next != color) break;
      }
      if (row[4 * x + 3] == 0) continue;
      const auto [place, is_new] = places.try_emplace(color, all.size());
      if (is_new) all.push_back({{row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]}, {}});
      const Box& box = picture.box;
      all[place->second].boxes.push_back({edge(box.left, box.width(), x, width), edge(box.top, box.height(), y, height),
                                          edge(box.left, box.width(), end, width),
                                          edge(box.top, box.height(), y + 1, height)});
    }
  }
  return all;
}

}  // namespace orrery::render
