// SPDX-License-Identifier: MIT
// Everything is cut into pieces, and the far ones are painted first.
#include "render/view/space.hpp"

#include <algorithm>
#include <cmath>

#include "render/style/name_tags.hpp"

namespace orrery::render {
namespace {

/// A shape and how near it is; the far ones are painted first.
struct Piece {
  template <class T>
  Piece(double how_near, T&& what) : nearness(how_near), shape(std::forward<T>(what)) {}
  double nearness;
  Shape shape;
};

Place place_at(const Waypoint& w) {
  return {static_cast<double>(w.at[0]), static_cast<double>(w.at[1]), static_cast<double>(w.at[2])};
}

float ball_radius(const Style& style, float radius, const Camera& camera, const Place& p) {
  return std::max(style.least_radius, static_cast<float>(1.25 * static_cast<double>(radius) * camera.magnification(p)));
}

class SortedPaths {
 public:
  SortedPaths(const Shown& shown, const Volume& volume, const Camera& camera)
      : shown_(shown), style_(shown.style), paths_(shown.paths), volume_(volume), camera_(camera) {}

  void draw(Drawing& drawing, bool floor) const {
    const Volume& volume = volume_;
    const Camera& camera = camera_;
    const auto radii = body_radii(style_, shown_.info, paths_.bodies());
    std::vector<Piece> pieces;
    for (std::size_t body = 0; body < paths_.bodies(); ++body) {
      auto path = paths_.of(body);
      for (const PathPiece& strand : path) {
        if (floor) add_shadow(drawing, strand);
      }
      trim(path, radii[body]);
      for (const PathPiece& strand : path) add_path(pieces, strand, body);
      const Place p = place_of(paths_.now().position, body);
      const double nearness = camera.nearness(p);
      const Color now = shown_.coloring.of(body, shade_of(paths_.now(), body));
      const float radius = ball_radius(style_, radii[body], camera, p);
      if (volume.contains(p)) {
        pieces.emplace_back(nearness, Ball{camera.at(p), radius, now});
      }
      if (!shown_.still || body >= paths_.first().size()) continue;
      const Place start = place_of(paths_.first().position, body);
      if (!volume.contains(start)) continue;
      const Point a = camera.at(p), b = camera.at(start);
      // A body back at its start hides it.
      const bool back = std::hypot(a.x - b.x, a.y - b.y) < 2 * radius;
      pieces.emplace_back(back ? std::min(camera.nearness(start), nearness - 1e-6) : camera.nearness(start),
                          Disc{b, 0.62F * radii[body], style_.pane,
                               shown_.coloring.of(body, shade_of(paths_.first(), body)), 0.9F * style_.path_line});
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.nearness < b.nearness; });
    for (Piece& piece : pieces) drawing.add(std::move(piece.shape));
  }

  /// A path ends at the skin of its ball, and starts at the rim of its ring.
  void trim(std::vector<PathPiece>& strands, float radius) const {
    if (strands.front().empty() || strands.back().empty()) return;
    const auto pixel = [&](const Waypoint& w) { return camera_.at(place_at(w)); };
    const auto distance = [&](Point center, const Waypoint& w) {
      const Point p = pixel(w);
      return std::hypot(p.x - center.x, p.y - center.y);
    };
    // Drops what lies within reach at the end of a path, and lets the rest run up to there exactly.
    const auto cut = [&](PathPiece& path, Point center, float reach) {
      Waypoint inside = path.back();
      while (!path.empty() && distance(center, path.back()) <= reach) {
        inside = path.back();
        path.pop_back();
      }
      if (path.empty()) return;
      const float far = distance(center, path.back()), near = distance(center, inside);
      if (near <= reach) path.push_back(between(path.back(), inside, (far - reach) / (far - near)));
    };
    PathPiece &first = strands.front(), &last = strands.back();
    const Point ball = pixel(last.back()), start = pixel(first.front());
    cut(last, ball, 1.15F * radius);
    if (!shown_.still || first.empty()) return;
    std::reverse(first.begin(), first.end());
    cut(first, start, 0.55F * radius);
    if (std::hypot(start.x - ball.x, start.y - ball.y) < 1.15F * radius && !first.empty())
      cut(first, ball, 1.15F * radius);
    std::reverse(first.begin(), first.end());
  }

  static Waypoint between(const Waypoint& a, const Waypoint& b, float s) {
    Waypoint w;
    for (std::size_t k = 0; k < 3; ++k) w.at[k] = a.at[k] + s * (b.at[k] - a.at[k]);
    w.freshness = a.freshness + s * (b.freshness - a.freshness);
    return w;
  }

  /// Calls add(waypoint, its place) along the path, and end() wherever it leaves the volume and at its end.
  template <class End, class Add>
  void along(const PathPiece& path, const End& end, const Add& add) const {
    for (const Waypoint& w : path) {
      const Place p = place_at(w);
      volume_.contains(p) ? add(w, p) : end();
    }
    end();
  }

  /// The path's shadow on the floor tells the eye how high it runs.
  void add_shadow(Drawing& drawing, const PathPiece& path) const {
    const double floor = camera_.eye()[2] >= 0 ? volume_.limits[2].low : volume_.limits[2].high;
    const Color color = mixed(style_.pane, style_.ink, style_.theme == Theme::light ? 0.17 : 0.22);
    Line line{{}, {}, 0.8F * style_.path_line};
    const auto end = [&] {
      if (line.points.size() > 1) drawing.add(thinned(line, 0.3F));
      line.points.clear();
      line.colors.clear();
    };
    along(path, end, [&](const Waypoint& w, const Place& p) {
      line.points.push_back(camera_.at({p[0], p[1], floor}));
      line.colors.push_back(faded(color, static_cast<double>(w.freshness)));
    });
  }

  /// Cut into short lines, so that what is in front can be painted over what is behind.
  void add_path(std::vector<Piece>& pieces, const PathPiece& path, std::size_t body) const {
    Line line{{}, {}, style_.path_line};
    double nearest = 0, farthest = 0;
    const auto end = [&] {
      if (line.points.size() > 1) pieces.emplace_back((nearest + farthest) / 2, thinned(line));
      line.points.clear();
      line.colors.clear();
    };
    along(path, end, [&](const Waypoint& w, const Place& p) {
      const double nearness = camera_.nearness(p);
      if (line.points.empty()) nearest = farthest = nearness;
      nearest = std::max(nearest, nearness);
      farthest = std::min(farthest, nearness);
      line.points.push_back(camera_.at(p));
      line.colors.push_back(
          faded(hazy(shown_.coloring.of(body, w.shade), nearness), std::pow(static_cast<double>(w.freshness), 1.3)));
      if (nearest - farthest > 0.06 || line.points.size() >= 256) {
        const Point point = line.points.back();
        const Color last = line.colors.back();
        end();
        line.points = {point};
        line.colors = {last};
        nearest = farthest = nearness;
      }
    });
  }

  /// The further, the nearer to the ground's colour.
  [[nodiscard]] Color hazy(Color color, double nearness) const {
    Color ground = style_.pane;
    ground.alpha = color.alpha;
    return mixed(color, ground, 0.42 * std::clamp(0.5 - 0.75 * nearness, 0.0, 1.0));
  }

  const Shown& shown_;
  const Style& style_;
  const Paths& paths_;
  const Volume& volume_;
  const Camera& camera_;
};

}  // namespace

void draw_in_space(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, bool floor) {
  if (!shown.paths.empty()) SortedPaths(shown, volume, camera).draw(drawing, floor);
}

void draw_names(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, const Box& room) {
  const auto radii = body_radii(shown.style, shown.info, shown.paths.bodies());
  tag_bodies(drawing, shown, room, [&](std::size_t body) {
    const Place p = place_of(shown.paths.now().position, body);
    return volume.contains(p) ? Disc{camera.at(p), ball_radius(shown.style, radii[body], camera, p), {}}
                              : Disc{{}, 0, {}};
  });
}

}  // namespace orrery::render
