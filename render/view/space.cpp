// SPDX-License-Identifier: MIT
#include "render/view/space.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "render/style/annotations.hpp"
#include "render/view/body_scene.hpp"

namespace orrery::render {
namespace {

/// Blends the colour with the background, more for distant places.
Color depth_cued(const Style& style, Color color, double nearness) {
  Color background = style.pane;
  background.alpha = color.alpha;
  return mixed(color, background, 0.42 * std::clamp(0.5 - 0.75 * nearness, 0.0, 1.0));
}

float ball_radius(const Style& style, float radius, const Camera& camera, const Place& p) {
  return std::max(style.min_radius, static_cast<float>(1.25 * static_cast<double>(radius) * camera.magnification(p)));
}

/// Adds bodies and paths to a scene.
class SceneBuilder {
 public:
  SceneBuilder(BodyScene& scene, const Shown& shown, const Volume& volume, const Camera& camera)
      : scene_(scene), shown_(shown), style_(shown.style), paths_(shown.paths), volume_(volume), camera_(camera) {}

  void add_bodies() const {
    const auto radii = body_radii(style_, shown_.info, paths_.bodies());
    for (std::size_t body = 0; body < paths_.bodies(); ++body) {
      auto path = paths_.of(body);
      trim(path, radii[body]);
      for (const PathPiece& piece : path) add_path(piece, body);
      const Place p = place_of(paths_.now().position, body);
      const float radius = ball_radius(style_, radii[body], camera_, p);
      if (volume_.contains(p))
        scene_.add(BodyScene::Sphere{p, radius, shown_.coloring.of(body, shade_of(paths_.now(), body))});
      if (!shown_.still || body >= paths_.first().size()) continue;
      const Place start = place_of(paths_.first().position, body);
      if (!volume_.contains(start)) continue;
      const Point a = camera_.at(p), b = camera_.at(start);
      // A body back at its start is drawn over the start mark.
      const bool is_back = std::hypot(a.x - b.x, a.y - b.y) < 2 * radius;
      scene_.add(BodyScene::Ring{start, 0.62F * radii[body], style_.pane,
                                 shown_.coloring.of(body, shade_of(paths_.first(), body)), 0.9F * style_.path_line},
                 is_back ? p : start);
    }
  }

  /// Projects the paths to the floor of the volume, to show their height.
  void draw_shadows(Drawing& drawing) const {
    for (std::size_t body = 0; body < paths_.bodies(); ++body) {
      for (const PathPiece& piece : paths_.of(body)) add_shadow(drawing, piece);
    }
  }

 private:
  /// Shortens a path so that it ends at the edge of its ball and starts at the edge of its ring.
  void trim(std::vector<PathPiece>& pieces, float radius) const {
    if (pieces.front().empty() || pieces.back().empty()) return;
    const auto pixel = [&](const Waypoint& w) { return camera_.at(place_of(w.at.data())); };
    const auto distance = [&](Point center, const Waypoint& w) {
      const Point p = pixel(w);
      return std::hypot(p.x - center.x, p.y - center.y);
    };
    // Removes the points within `reach` of `center` at the end of a path and ends it exactly there.
    const auto cut = [&](PathPiece& path, Point center, float reach) {
      Waypoint inside = path.back();
      while (!path.empty() && distance(center, path.back()) <= reach) {
        inside = path.back();
        path.pop_back();
      }
      if (path.empty()) return;
      const float far = distance(center, path.back()), near = distance(center, inside);
      if (near <= reach) path.push_back(waypoint_between(path.back(), inside, (far - reach) / (far - near)));
    };
    PathPiece &first = pieces.front(), &last = pieces.back();
    const Point ball = pixel(last.back()), start = pixel(first.front());
    cut(last, ball, 1.15F * radius);
    if (!shown_.still || first.empty()) return;
    std::reverse(first.begin(), first.end());
    cut(first, start, 0.55F * radius);
    if (std::hypot(start.x - ball.x, start.y - ball.y) < 1.15F * radius && !first.empty())
      cut(first, ball, 1.15F * radius);
    std::reverse(first.begin(), first.end());
  }

  /// Returns the part of the straight line from a to b that is inside the volume, as shares of it; low > high if there is none.
  [[nodiscard]] Interval visible_part(const Place& a, const Place& b) const {
    Interval part{0, 1};
    for (std::size_t k = 0; k < 3; ++k) {
      // In the precision of positions, as Volume::contains.
      const auto from = static_cast<double>(static_cast<float>(volume_.limits[k].low)),
                 to = static_cast<double>(static_cast<float>(volume_.limits[k].high)), way = b[k] - a[k];
      if (way == 0 && !(a[k] >= from && a[k] <= to)) return {1, 0};
      if (way == 0) continue;
      const double low = (from - a[k]) / way, high = (to - a[k]) / way;
      part.low = std::max(part.low, std::min(low, high));
      part.high = std::min(part.high, std::max(low, high));
    }
    return part;
  }

  /// Calls add(waypoint, position) along the parts of the path inside the volume, which begin and end at its faces, and end()
  /// after each.
  template <class End, class Add>
  void along(const PathPiece& path, const End& end, const Add& add) const {
    bool open = false;
    if (path.size() == 1 && volume_.contains(place_of(path.front().at.data())))
      add(path.front(), place_of(path.front().at.data()));
    for (std::size_t i = 1; i < path.size(); ++i) {
      const Waypoint &from = path[i - 1], &to = path[i];
      const Interval part = visible_part(place_of(from.at.data()), place_of(to.at.data()));
      const auto put = [&](double s) {
        const Waypoint w = s <= 0 ? from : s >= 1 ? to : waypoint_between(from, to, static_cast<float>(s));
        add(w, place_of(w.at.data()));
      };
      const bool visible = part.low < part.high;
      if (visible && (!open || part.low > 0)) put(part.low);
      if (visible) put(part.high);
      open = visible && part.high >= 1;
      if (!open) end();
    }
    end();
  }

  void add_shadow(Drawing& drawing, const PathPiece& path) const {
    const double floor = camera_.eye()[2] >= 0 ? volume_.limits[2].low : volume_.limits[2].high;
    const Color color = mixed(style_.pane, style_.ink, style_.theme == Theme::light ? 0.17 : 0.22);
    Line line{{}, {}, 0.8F * style_.path_line};
    const auto end = [&] {
      if (line.points.size() > 1) drawing.add(thinned(line, 0.3F));
      if (line.points.size() == 1 && paths_.has_dots())
        drawing.add(Disc{line.points.front(), line.width, line.colors.front()});
      line.points.clear();
      line.colors.clear();
    };
    along(path, end, [&](const Waypoint& w, const Place& p) {
      line.points.push_back(camera_.at({p[0], p[1], floor}));
      line.colors.push_back(faded(color, static_cast<double>(w.freshness)));
    });
  }

  void add_path(const PathPiece& piece, std::size_t body) const {
    BodyScene::Path path{{}, {}, style_.path_line};
    const auto end = [&] {
      if (path.points.size() > 1) scene_.add(path);
      if (path.points.size() == 1 && paths_.has_dots())
        scene_.add(BodyScene::Sphere{path.points.front(), style_.path_line, path.colors.front()});
      path.points.clear();
      path.colors.clear();
    };
    along(piece, end, [&](const Waypoint& w, const Place& p) {
      path.points.push_back(p);
      const Color color = depth_cued(style_, shown_.coloring.of(body, w.shade), camera_.nearness(p));
      path.colors.push_back(faded(color, std::pow(static_cast<double>(w.freshness), 1.3)));
    });
  }

  BodyScene& scene_;
  const Shown& shown_;
  const Style& style_;
  const Paths& paths_;
  const Volume& volume_;
  const Camera& camera_;
};

}  // namespace

void draw_in_space(Drawing& drawing, const Shown& shown, const Volume& volume, const Camera& camera, bool floor) {
  const auto scene = std::make_shared<BodyScene>(camera);
  if (!shown.paths.empty()) {
    const SceneBuilder builder(*scene, shown, volume, camera);
    if (floor) builder.draw_shadows(drawing);
    builder.add_bodies();
  }
  add_edges(*scene, shown.style, volume, camera, shown.reference.bounds());
  drawing.add(Space{scene});
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
