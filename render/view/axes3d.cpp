// SPDX-License-Identifier: MIT
// The walls are always behind the bodies, and the tick labels at outer edges, for any azimuth.
#include "render/view/space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "render/canvas/text.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::render {
namespace {

/// One edge that has tick labels.
struct Edge {
  Place from{}, to{};
  std::size_t coordinate = 0;
  Place outwards{};  ///< away from the volume
};

Ticks axes3d_ticks(const Style& style, const Volume& volume, const Camera& camera, std::size_t k, double unit) {
  // Depends on the true length of the edge, not the projected one, so that ticks stay the same while the camera turns.
  const Interval& limits = volume.limits[k];
  const auto length = static_cast<float>((k == 2 ? 0.85 : 0.7) * camera.scale() * limits.length());
  Ticks ticks = linear_ticks({limits.low / unit, limits.high / unit}, length, style.tick_text, k != 2, 0,
                             largest_of(volume.limits) / unit);
  for (std::vector<double>* places : {&ticks.at, &ticks.minor}) {
    for (double& place : *places) place *= unit;
  }
  return ticks;
}

class Axes3D {
 public:
  Axes3D(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera, double unit)
      : drawing_(drawing), style_(style), volume_(volume), camera_(camera) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Interval& limits = volume.limits[k];
      const bool above = camera.eye()[k] >= 0;
      back_[k] = above ? limits.low : limits.high;
      front_[k] = above ? limits.high : limits.low;
      ticks_[k] = axes3d_ticks(style, volume, camera, k, unit);
    }
  }

  void walls() {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      const auto corner = [&](double u, double v) {
        Place p{};
        p[k] = back_[k];
        p[i] = u;
        p[j] = v;
        return camera_.at(p);
      };
      const Interval &a = volume_.limits[i], &b = volume_.limits[j];
      drawing_.add(Area{{corner(a.low, b.low), corner(a.high, b.low), corner(a.high, b.high), corner(a.low, b.high)},
                        style_.pane});
      for (const double u : ticks_[i].at)
        drawing_.line(corner(u, b.low), corner(u, b.high), style_.grid, style_.grid_line);
      for (const double v : ticks_[j].at)
        drawing_.line(corner(a.low, v), corner(a.high, v), style_.grid, style_.grid_line);
    }
    // The walls' outer edges; those where two walls meet are fainter.
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      const auto edge = [&](double u, double v, Color color) {
        Place p{}, q{};
        p[k] = back_[k], q[k] = front_[k];
        p[i] = q[i] = u;
        p[j] = q[j] = v;
        drawing_.line(camera_.at(p), camera_.at(q), color, style_.frame_line);
      };
      const Color faint = mixed(style_.grid, style_.frame, 0.3);
      edge(back_[i], back_[j], faint);
      edge(front_[i], back_[j], style_.frame);
      edge(back_[i], front_[j], style_.frame);
    }
  }

  void numbers(const std::string& unit) {
    const auto edge = [&](std::size_t k, const Place& at, const Place& outwards) {
      Edge along{at, at, k, outwards};
      along.from[k] = volume_.limits[k].low;
      along.to[k] = volume_.limits[k].high;
      return along;
    };
    const Edge x = edge(0, {0, front_[1], back_[2]}, {0, sign(1), 0});
    const Edge y = edge(1, {front_[0], 0, back_[2]}, {sign(0), 0, 0});
    // Of the two vertical edges, the left one.
    Edge z = edge(2, {front_[0], back_[1], 0}, {sign(0), -sign(1), 0});
    const Edge other = edge(2, {back_[0], front_[1], 0}, {-sign(0), sign(1), 0});
    if (camera_.at(other.from).x < camera_.at(z.from).x) z = other;
    for (const Edge& one : {x, y, z}) write(one, unit);
  }

 private:
  [[nodiscard]] double sign(std::size_t k) const { return front_[k] > back_[k] ? 1 : -1; }

  /// The unit vector on the canvas of a direction in space at `p`.
  [[nodiscard]] Point direction(const Place& p, const Place& way) const {
    const double step = 0.01 * volume_.radius();
    const Point a = camera_.at(p), b = camera_.at(plus(p, step, way));
    const float length = std::max(1e-6F, std::hypot(b.x - a.x, b.y - a.y));
    return {(b.x - a.x) / length, (b.y - a.y) / length};
  }

  void write(const Edge& edge, const std::string& unit) {
    const Ticks& ticks = ticks_[edge.coordinate];
    const Point a = camera_.at(edge.from), b = camera_.at(edge.to);
    Place middle{};
    for (std::size_t k = 0; k < 3; ++k) middle[k] = (edge.from[k] + edge.to[k]) / 2;
    Point out = direction(middle, edge.outwards);
    if (edge.coordinate == 2) out = {-1, 0};
    const float widest = widest_of(ticks.labels, style_.tick_text);
    // Tick labels of an edge seen nearly end-on would overlap: fade them out before.
    const float seen = std::hypot(b.x - a.x, b.y - a.y) / static_cast<float>(std::max<std::size_t>(ticks.at.size(), 2));
    const float along = seen > 0 ? std::abs(b.x - a.x) / std::hypot(b.x - a.x, b.y - a.y) : 0;
    const float need = along * widest + (1 - along) * style_.tick_text;
    const double opacity = std::clamp(static_cast<double>((seen - need) / (0.4F * style_.tick_text)), 0.0, 1.0);

    const auto half = [&](float width, float height) {
      return std::abs(out.x) * width / 2 + std::abs(out.y) * height / 2;
    };
    const float gap = 0.55F * style_.tick_text;
    std::vector<Box> own;
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
      Place p = edge.from;
      p[edge.coordinate] = ticks.at[i];
      const Point from = camera_.at(p);
      const float tick = 9 * style_.unit;
      drawing_.line(from, {from.x + tick * out.x, from.y + tick * out.y}, style_.frame, style_.frame_line);
      if (!style_.numbered || (!style_.named && ticks.exponent != 0)) continue;
      const float width = extents_of(ticks.labels[i], style_.tick_text).width;
      const float away = gap + half(width, 0.75F * style_.tick_text);
      const Text number{ticks.labels[i],  {from.x + away * out.x, from.y + away * out.y},
                        style_.tick_text, faded(style_.ink, opacity),
                        Across::center,   Along::middle};
      if (!is_free(room_of(number))) continue;
      if (opacity > 0.5) own.push_back(room_of(number));
      drawing_.add(number);
    }
    taken_.insert(taken_.end(), own.begin(), own.end());
    if (!style_.named) return;
    const std::string name = axis_label(std::string(1, "xyz"[edge.coordinate]), unit, ticks.exponent);
    const float away = gap + 2 * half(widest, 0.75F * style_.tick_text) + 1.1F * style_.tick_text +
                       half(edge.coordinate == 2 ? style_.label_text : extents_of(name, style_.label_text).width,
                            0.75F * style_.label_text);
    const Point at = camera_.at(middle);
    Text text{name,         {at.x + away * out.x, at.y + away * out.y}, style_.label_text, style_.ink, Across::center,
              Along::middle};
    if (edge.coordinate == 2 && name.size() > 1) {
      text.upwards = true;
      text.along = Along::baseline;
    }
    drawing_.add(text);
  }

  /// Returns whether a label would not overlap those of other edges.
  [[nodiscard]] bool is_free(const Box& room) const {
    const float air = 0.3F * style_.tick_text;
    return std::ranges::none_of(taken_, [&](const Box& other) {
      return room.left < other.right + air && other.left < room.right + air && room.top < other.bottom + air &&
             other.top < room.bottom + air;
    });
  }

  std::vector<Box> taken_;  // by labels of other edges
  Drawing& drawing_;
  const Style& style_;
  const Volume& volume_;
  const Camera& camera_;
  Place back_{}, front_{};
  std::array<Ticks, 3> ticks_;
};

}  // namespace

Axes3DMargins axes3d_margins(const Style& style, const Volume& volume, const Camera& camera, double unit) {
  const float widest = widest_of(axes3d_ticks(style, volume, camera, 2, unit).labels, style.tick_text);
  if (!style.numbered) return {0.5F * style.tick_text, 0.5F * style.tick_text};
  if (!style.named) return {widest + 0.7F * style.tick_text, 1.6F * style.tick_text};
  return {widest + 1.7F * style.tick_text + 1.3F * style.label_text, 3.2F * style.tick_text};
}

void draw_axes3d(Drawing& drawing, const Style& style, const Volume& volume, const Camera& camera,
                 const ShownUnit& unit) {
  Axes3D axes3d(drawing, style, volume, camera, unit.length);
  axes3d.walls();
  axes3d.numbers(unit.name);
}

}  // namespace orrery::render
