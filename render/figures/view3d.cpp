// SPDX-License-Identifier: MIT
// The figure "view3d": bodies and paths in space, seen from a camera that rests or turns.
#include <algorithm>
#include <array>
#include <cmath>

#include "render/cage.hpp"
#include "render/camera.hpp"
#include "render/canvas.hpp"
#include "render/cloud.hpp"
#include "render/figures/shared.hpp"
#include "render/furniture.hpp"
#include "render/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> cameras{"fixed", "orbit"};

constexpr std::array parameters{
    frame_parameter,
    Parameter{.name = "camera",
              .kind = Kind::text,
              .fallback = "\"fixed\"",
              .meaning = "fixed | orbit: one turn about the z axis over the film",
              .choices = cameras},
    Parameter{.name = "azimuth",
              .kind = Kind::number,
              .fallback = "-58.0",
              .meaning = "of the eye about the z axis, from x towards y",
              .unit = "degrees"},
    Parameter{.name = "elevation",
              .kind = Kind::number,
              .fallback = "24.0",
              .meaning = "of the eye above the x-y plane",
              .unit = "degrees",
              .range = {.low = -89, .high = 89}},
    Parameter{.name = "limits",
              .kind = Kind::numbers,
              .fallback = "",
              .meaning = "what is shown: [x from, to, y from, to, z from, to]; left out, all of the run",
              .unit = "length",
              .count = 6,
              .optional = true},
};

/// A shape and how near it is; the far ones are painted first.
struct Piece {
  template <class T>
  Piece(double how_near, T&& what) : nearness(how_near), shape(std::forward<T>(what)) {}
  double nearness;
  Shape shape;
};

Place place(const std::vector<float>& xyz, std::size_t i) {
  return {static_cast<double>(xyz[3 * i]), static_cast<double>(xyz[3 * i + 1]),
          static_cast<double>(xyz[3 * i + 2])};
}

Place place(const Waypoint& w) {
  return {static_cast<double>(w.at[0]), static_cast<double>(w.at[1]), static_cast<double>(w.at[2])};
}

class View3d final : public Figure {
 public:
  View3d(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : cast_(cast),
        look_(canvas.look()),
        reference_(arguments.text("frame"), cast),
        turning_(arguments.text("camera") == "orbit"),
        azimuth_(arguments.number("azimuth")),
        elevation_(arguments.number("elevation")),
        paths_(trails),
        still_(std::isinf(trails.time)),
        legend_(look_, cast) {
    if (arguments.has("limits")) limits_ = checked_limits(arguments.numbers("limits"));
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { paths_.append(reference_.seen(frame)); }

 private:
  void draw(Drawing& drawing) const {
    const float edge = 0.7F * look_.tick_text;
    const auto width = static_cast<float>(drawing.size.width),
               height = static_cast<float>(drawing.size.height);
    const float beside = legend_.empty() ? 0 : legend_.width();
    const Box whole{edge, 0.3F * edge + heading_height(look_), width - edge, height - edge};
    const Volume volume = shown();
    Camera camera(volume, azimuth_ + turned(), elevation_);
    camera.fit(whole, turning_);
    for (int pass = 0; pass < 2;
         ++pass) {  // numbers stand on the left and below; they depend on the scale in turn
      const CageMargins margins = cage_margins(look_, volume, camera);
      const float right = std::max(beside, 0.6F * margins.below);
      camera.fit({whole.left + margins.left, whole.top, whole.right - right, whole.bottom - margins.below},
                 turning_);
    }
    draw_cage(drawing, look_, volume, camera, cast_.length_unit);
    if (paths_.bodies() > most_bodies_with_paths) {
      draw_cloud(drawing, volume, camera);
    } else {
      draw_few(drawing, volume, camera);
    }
    if (!legend_.empty()) legend_.draw(drawing, {whole.right - beside, whole.top + 0.4F * look_.tick_text});
    heading(drawing, look_, whole, cast_.title, shown_time(cast_, paths_, still_));
  }

  [[nodiscard]] Volume shown() const {
    Volume volume;
    const Extent extent = shown_extent(reference_, paths_, still_);
    for (std::size_t k = 0; k < 3; ++k) {
      volume.limits[k] =
          limits_.empty() ? padded(extent, k, 0.34) : Interval{limits_[2 * k], limits_[2 * k + 1]};
    }
    return volume;
  }

  [[nodiscard]] double turned() const {
    const double span = cast_.end - cast_.start;
    return turning_ && !paths_.empty() && span > 0 ? 360 * (paths_.now().time - cast_.start) / span : 0;
  }

  /// The further, the nearer to the ground's colour.
  [[nodiscard]] Color hazy(Color color, double nearness) const {
    Color ground = look_.pane;
    ground.alpha = color.alpha;
    return mixed(color, ground, 0.42 * std::clamp(0.5 - 0.75 * nearness, 0.0, 1.0));
  }

  void draw_cloud(Drawing& drawing, const Volume& volume, const Camera& camera) const {
    const auto components = color_indices(cast_, paths_.bodies());
    std::vector<Dot> dots;
    dots.reserve(components.size());
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Place p = place(paths_.now().position, i);
      if (!volume.contains(p)) continue;
      const double near = std::clamp(0.5 + 0.5 * camera.nearness(p), 0.0, 1.0);
      dots.push_back({camera.at(p), components[i], static_cast<float>(0.45 + 0.55 * near)});
    }
    const Box canvas{0, 0, static_cast<float>(drawing.size.width), static_cast<float>(drawing.size.height)};
    drawing.add(cloud(look_, canvas, drawing.scale, dots));
  }

  void draw_few(Drawing& drawing, const Volume& volume, const Camera& camera) const {
    if (paths_.empty()) return;
    const auto radii = body_radii(look_, cast_, paths_.bodies());
    std::vector<Piece> pieces;
    for (std::size_t body = 0; body < paths_.bodies(); ++body) {
      auto path = paths_.of(body);
      add_shadow(drawing, path, volume, camera);
      trim(path, camera, radii[body]);
      add_path(pieces, path, body_color(look_.theme, body), volume, camera);
      const Place p = place(paths_.now().position, body);
      const double nearness = camera.nearness(p);
      const auto radius =
          static_cast<float>(1.25 * static_cast<double>(radii[body]) * camera.magnification(p));
      if (volume.contains(p)) {
        pieces.emplace_back(nearness, Ball{camera.at(p), radius, body_color(look_.theme, body)});
      }
      if (!still_ || body >= paths_.first().size()) continue;
      const Place start = place(paths_.first().position, body);
      if (!volume.contains(start)) continue;
      const Point a = camera.at(p), b = camera.at(start);
      // A body back at its start hides it.
      const bool back = std::hypot(a.x - b.x, a.y - b.y) < 2 * radius;
      pieces.emplace_back(
          back ? std::min(camera.nearness(start), nearness - 1e-6) : camera.nearness(start),
          Disc{b, 0.62F * radii[body], look_.pane, body_color(look_.theme, body), 0.9F * look_.path_line});
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.nearness < b.nearness; });
    for (Piece& piece : pieces) drawing.add(std::move(piece.shape));
  }

  /// A path ends at the skin of its ball, and starts at the rim of its ring.
  void trim(std::vector<Waypoint>& path, const Camera& camera, float radius) const {
    if (path.empty()) return;
    const auto pixel = [&](const Waypoint& w) { return camera.at(place(w)); };
    const auto distance = [&](Point center, const Waypoint& w) {
      const Point p = pixel(w);
      return std::hypot(p.x - center.x, p.y - center.y);
    };
    // Drops what lies within reach at the end of the path, and lets the rest run up to there exactly.
    const auto cut = [&](Point center, float reach) {
      Waypoint inside = path.back();
      while (!path.empty() && distance(center, path.back()) <= reach) {
        inside = path.back();
        path.pop_back();
      }
      if (path.empty()) return;
      const float far = distance(center, path.back()), near = distance(center, inside);
      if (near <= reach) path.push_back(between(path.back(), inside, (far - reach) / (far - near)));
    };
    const Point ball = pixel(path.back()), start = pixel(path.front());
    cut(ball, 1.15F * radius);
    if (!still_ || path.empty()) return;
    std::reverse(path.begin(), path.end());
    cut(start, 0.55F * radius);
    if (std::hypot(start.x - ball.x, start.y - ball.y) < 1.15F * radius && !path.empty())
      cut(ball, 1.15F * radius);
    std::reverse(path.begin(), path.end());
  }

  static Waypoint between(const Waypoint& a, const Waypoint& b, float s) {
    Waypoint w;
    for (std::size_t k = 0; k < 3; ++k) w.at[k] = a.at[k] + s * (b.at[k] - a.at[k]);
    w.freshness = a.freshness + s * (b.freshness - a.freshness);
    return w;
  }

  /// The path's shadow on the floor tells the eye how high it runs.
  void add_shadow(Drawing& drawing, const std::vector<Waypoint>& path, const Volume& volume,
                  const Camera& camera) const {
    const double floor = camera.eye()[2] >= 0 ? volume.limits[2].low : volume.limits[2].high;
    const Color color = mixed(look_.pane, look_.ink, look_.theme == Theme::light ? 0.17 : 0.22);
    Line line{{}, {}, 0.8F * look_.path_line};
    const auto end = [&] {
      if (line.points.size() > 1) drawing.add(thinned(line, 0.3F));
      line.points.clear();
      line.colors.clear();
    };
    for (const Waypoint& w : path) {
      const Place p = place(w);
      if (!volume.contains(p)) {
        end();
        continue;
      }
      line.points.push_back(camera.at({p[0], p[1], floor}));
      line.colors.push_back(faded(color, static_cast<double>(w.freshness)));
    }
    end();
  }

  /// Cut into short lines, so that what is in front can be painted over what is behind.
  void add_path(std::vector<Piece>& pieces, const std::vector<Waypoint>& path, Color color,
                const Volume& volume, const Camera& camera) const {
    Line line{{}, {}, look_.path_line};
    double nearest = 0, farthest = 0;
    const auto end = [&] {
      if (line.points.size() > 1) pieces.emplace_back((nearest + farthest) / 2, thinned(line));
      line.points.clear();
      line.colors.clear();
    };
    for (const Waypoint& w : path) {
      const Place p = place(w);
      if (!volume.contains(p)) {
        end();
        continue;
      }
      const double nearness = camera.nearness(p);
      if (line.points.empty()) nearest = farthest = nearness;
      nearest = std::max(nearest, nearness);
      farthest = std::min(farthest, nearness);
      line.points.push_back(camera.at(p));
      line.colors.push_back(faded(hazy(color, nearness), std::pow(static_cast<double>(w.freshness), 1.3)));
      if (nearest - farthest > 0.06 || line.points.size() >= 256) {
        const Point point = line.points.back();
        const Color last = line.colors.back();
        end();
        line.points = {point};
        line.colors = {last};
        nearest = farthest = nearness;
      }
    }
    end();
  }

  const Cast& cast_;
  Look look_;
  Reference reference_;
  bool turning_;
  double azimuth_, elevation_;
  Paths paths_;
  bool still_;
  Legend legend_;
  std::vector<double> limits_;
};

}  // namespace

extern const FigureKind view3d{.name = "view3d",
                               .meaning = "bodies and paths in space, in a cage of axes",
                               .parameters = parameters,
                               .needs_frames = true,
                               .make = make<View3d>};

}  // namespace orrery::render
