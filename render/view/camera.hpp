// SPDX-License-Identifier: MIT
// A perspective camera that looks at the centre of a box.
#pragma once

#include <array>
#include <vector>

#include "common/export.hpp"
#include "render/canvas/drawing.hpp"
#include "render/chart/ticks.hpp"
#include "render/view/place.hpp"

namespace orrery::render {

/// A box in space.
struct Volume {
  std::array<Interval, 3> limits;
  [[nodiscard]] Place middle() const { return {limits[0].middle(), limits[1].middle(), limits[2].middle()}; }
  /// Returns half of the diagonal.
  [[nodiscard]] double radius() const;
  [[nodiscard]] bool contains(const Place& p) const;
  /// Scales all sides about the same middle.
  [[nodiscard]] Volume scaled(double factor) const;
};

class ORRERY_EXPORT Camera {
 public:
  /// Angles of the direction to the camera in degrees: azimuth in the x-y plane from +x towards +y, elevation above it.
  Camera(const Volume& volume, double azimuth, double elevation);

  /// Sets scale and position so that the volume fits `room`, at all azimuths if `turning`.
  void fit(const Box& room, bool turning) { fit(room, turning, corners()); }

  /// The same for 98 % of these places.
  void fit(const Box& room, bool turning, const std::vector<Place>& places);

  /// Returns the camera rotated about the middle.
  [[nodiscard]] Camera turned_to(double azimuth, double elevation) const;
  void magnify(double factor) { scale_ *= factor; }
  /// Sets the pixel of the middle.
  void aim(Point at) { origin_ = at; }

  [[nodiscard]] Point at(const Place& p) const;
  /// Returns the depth: positive in front of the middle, negative behind it, ±1 at the ends of the volume.
  [[nodiscard]] double nearness(const Place& p) const;
  /// Returns the apparent size at a place relative to that in the middle.
  [[nodiscard]] double magnification(const Place& p) const;
  /// Returns the place that the camera looks at.
  [[nodiscard]] const Place& middle() const { return middle_; }
  /// Returns the distance from there to the camera, in units of length.
  [[nodiscard]] double distance() const;
  /// Returns the unit vectors of the canvas: to the right and up.
  [[nodiscard]] const Place& right() const { return right_; }
  [[nodiscard]] const Place& up() const { return up_; }
  /// Returns the pixel of the middle.
  [[nodiscard]] Point origin() const { return origin_; }
  /// Returns the unit vector from the middle to the camera.
  [[nodiscard]] const Place& eye() const { return eye_; }
  /// Returns pixels per unit of length in the middle.
  [[nodiscard]] double scale() const { return scale_; }

 private:
  void turn(double azimuth, double elevation);
  /// Returns the corners of the volume.
  [[nodiscard]] std::vector<Place> corners() const;

  Volume volume_;
  Place middle_;
  double radius_, elevation_ = 0;
  Place right_{}, up_{}, eye_{};
  double scale_ = 1;
  Point origin_;
};

}  // namespace orrery::render
