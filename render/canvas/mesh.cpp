// SPDX-License-Identifier: MIT
// Lines become strips of four vertices across: the core, and a pixel of fading on each side.
#include "render/canvas/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "render/style/shading.hpp"

namespace orrery::render {
namespace {

Color clear_of(Color color) {
  color.alpha = 0;
  return color;
}

/// Vertices around a circle of this radius, so that no chord is seen.
int corners(float radius) {
  return std::clamp(static_cast<int>(8 * std::sqrt(radius)) + 8, 16, 160);
}

/// Half of the sharpest turn that a strip takes without a break, as its cosine: 50 degrees.
constexpr float sharpest = 0.643F;

}  // namespace

void Mesh::clear() {
  vertices_.clear();
  triangles_.clear();
}

std::uint32_t Mesh::vertex(float x, float y, Color color) {
  vertices_.push_back({x, y, color});
  return static_cast<std::uint32_t>(vertices_.size() - 1);
}

void Mesh::quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  triangles_.push_back({a, b, c});
  triangles_.push_back({a, c, d});
}

void Mesh::add(const Line& line) {
  const bool colored = line.colors.size() == line.points.size();
  std::vector<Point> points;
  std::vector<Color> colors;
  const auto end = [&] {
    if (points.size() > 1) strip(points, colors, line.width * scale_);
    points.clear();
    colors.clear();
  };
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const Point p{line.points[i].x * scale_, line.points[i].y * scale_};
    const Color color = colored ? line.colors[i] : line.colors.front();
    if (!points.empty() && std::hypot(p.x - points.back().x, p.y - points.back().y) < 0.02F) continue;
    if (points.size() > 1) {
      const Point a = points[points.size() - 2], b = points.back();
      const float ux = b.x - a.x, uy = b.y - a.y, vx = p.x - b.x, vy = p.y - b.y;
      const float cosine = (ux * vx + uy * vy) / (std::hypot(ux, uy) * std::hypot(vx, vy));
      // cos(turn) = 2 cos²(turn/2) − 1
      if (cosine < 2 * sharpest * sharpest - 1) {
        const Color at = colors.back();
        end();
        if (at.alpha == 255) add(Disc{{b.x / scale_, b.y / scale_}, line.width / 2, at});
        points.push_back(b);
        colors.push_back(at);
      }
    }
    points.push_back(p);
    colors.push_back(color);
  }
  end();
}

void Mesh::strip(const std::vector<Point>& points, const std::vector<Color>& colors, float width) {
  const float core = std::max(0.F, width / 2 - 0.5F), edge = core + std::min(1.F, width);
  const double strength = std::min(1.F, width);  // a line thinner than a pixel is fainter instead
  std::array<std::uint32_t, 4> before{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto normal = [&](std::size_t k) {
      const float dx = points[k + 1].x - points[k].x, dy = points[k + 1].y - points[k].y, length = std::hypot(dx, dy);
      return Point{-dy / length, dx / length};
    };
    Point n = normal(i > 0 ? i - 1 : i);
    if (i > 0 && i + 1 < points.size()) {
      // Half-way between both normals, and longer by 1/cos of half the turn: a mitre.
      const Point m = normal(i);
      const Point sum{n.x + m.x, n.y + m.y};
      const float square = sum.x * sum.x + sum.y * sum.y;
      n = {2 * sum.x / square, 2 * sum.y / square};
    }
    const Color color = faded(colors[i], strength), clear = clear_of(color);
    const Point p = points[i];
    const std::array<std::uint32_t, 4> across{
        vertex(p.x - edge * n.x, p.y - edge * n.y, clear), vertex(p.x - core * n.x, p.y - core * n.y, color),
        vertex(p.x + core * n.x, p.y + core * n.y, color), vertex(p.x + edge * n.x, p.y + edge * n.y, clear)};
    for (std::size_t k = 0; i > 0 && k < 3; ++k) quad(before[k], before[k + 1], across[k + 1], across[k]);
    before = across;
  }
}

void Mesh::add(const Area& area) {
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  for (const Point p : area.points) vertex(p.x * scale_, p.y * scale_, area.color);
  if (area.strip) {
    const auto n = static_cast<std::uint32_t>(area.points.size());
    for (std::uint32_t i = 1; i < n / 2; ++i) quad(first + i - 1, first + i, first + n - 1 - i, first + n - i);
    return;
  }
  for (std::uint32_t i = 2; i < area.points.size(); ++i) triangles_.push_back({first, first + i - 1, first + i});
}

void Mesh::rings(Point center, const std::vector<Ring>& rings) {
  const float x = center.x * scale_, y = center.y * scale_;
  const int n = corners(rings.back().radius);
  std::vector<std::uint32_t> before;
  for (const Ring& ring : rings) {
    std::vector<std::uint32_t> now;
    for (int i = 0; i < n; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(n);
      now.push_back(vertex(x + ring.radius * std::cos(angle), y + ring.radius * std::sin(angle), ring.color));
    }
    for (std::size_t i = 0; !before.empty() && i < now.size(); ++i) {
      const std::size_t next = (i + 1) % now.size();
      quad(before[i], before[next], now[next], now[i]);
    }
    before = std::move(now);
  }
}

void Mesh::add(const Disc& disc) {
  const float r = disc.radius * scale_, half = disc.rim_width * scale_ / 2;
  if (disc.fill.alpha > 0) {
    rings(disc.center, {{0, disc.fill}, {std::max(0.F, r - 0.5F), disc.fill}, {r + 0.5F, clear_of(disc.fill)}});
  }
  if (disc.rim.alpha > 0 && half > 0) {
    const Color clear = clear_of(disc.rim);
    const float core = std::max(0.F, half - 0.5F);
    rings(disc.center, {{std::max(0.F, r - core - 1), clear},
                        {std::max(0.F, r - core), disc.rim},
                        {r + core, disc.rim},
                        {r + core + 1, clear}});
  }
}

void Mesh::add(const Ball& ball) {
  const float r = ball.radius * scale_, x = ball.center.x * scale_, y = ball.center.y * scale_;
  const int n = corners(r), layers = std::clamp(static_cast<int>(r / 1.5F), 6, 24);
  std::vector<std::uint32_t> before;
  for (int layer = 0; layer <= layers + 1; ++layer) {
    const bool skin = layer > layers;  // the pixel over which the edge fades
    const float s = skin ? 1 : static_cast<float>(layer) / static_cast<float>(layers);
    const float radius = skin ? r + 0.5F : s * (r - 0.5F);
    std::vector<std::uint32_t> now;
    for (int i = 0; i < n; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(n);
      const float u = std::cos(angle), v = std::sin(angle);
      Color color = lit(ball.color, static_cast<double>(s * u), static_cast<double>(s * v),
                        std::sqrt(std::max(0.0, 1 - static_cast<double>(s * s))));
      if (skin) color = clear_of(color);
      now.push_back(vertex(x + radius * u, y + radius * v, color));
    }
    for (std::size_t i = 0; !before.empty() && i < now.size(); ++i) {
      const std::size_t next = (i + 1) % now.size();
      quad(before[i], before[next], now[next], now[i]);
    }
    before = std::move(now);
  }
}

}  // namespace orrery::render
