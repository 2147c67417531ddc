// SPDX-License-Identifier: MIT
#pragma once

#include <variant>
#include <vector>

#include "common/export.hpp"
#include "render/canvas/drawing.hpp"
#include "render/view/camera.hpp"
#include "render/view/place.hpp"

namespace orrery::render {

/// Spheres, lines and rings as a camera sees them. All widths and radii are in pixels of the canvas.
class ORRERY_EXPORT BodyScene final : public Scene3D {
 public:
  struct Sphere {
    Place center{};
    float radius = 1;
    Color color;
  };
  /// A polyline with one colour for all or one per point.
  struct Path {
    std::vector<Place> points;
    std::vector<Color> colors;
    float width = 1;
  };
  /// A ring that faces the camera, filled.
  struct Ring {
    Place center{};
    float radius = 1;
    Color fill, rim;
    float rim_width = 1;
  };
  using Object = std::variant<Sphere, Path, Ring>;

  explicit BodyScene(const Camera& camera) : camera_(camera) {}

  void add(Sphere sphere) { add(camera_.nearness(sphere.center), sphere); }
  /// `behind`: a place that is nearer than the ring in any case.
  void add(Ring ring, const Place& behind);
  /// Divides the path into parts that are short in depth.
  void add(const Path& path);

  [[nodiscard]] Picture pixels(Size canvas, int samples) const override;
  [[nodiscard]] std::vector<Shape> shapes() const override;

  [[nodiscard]] const Camera& camera() const { return camera_; }
  /// Returns the objects from far to near.
  [[nodiscard]] std::vector<const Object*> sorted() const;

 private:
  struct Part {
    double nearness;
    Object object;
  };
  void add(double nearness, Object object) { parts_.push_back({nearness, std::move(object)}); }

  Camera camera_;
  std::vector<Part> parts_;
};

}  // namespace orrery::render
