// SPDX-License-Identifier: MIT
// An eye that looks at the middle of a box from some way off: from places in space to pixels.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/chart/ticks.hpp"
#include "render/view/place.hpp"

namespace orrery::render {

/// The eight corners' box in space.
struct Volume {
  std::array<Interval, 3> limits;
  [[nodiscard]] Place middle() const { return {limits[0].middle(), limits[1].middle(), limits[2].middle()}; }
  /// Half of the diagonal.
  [[nodiscard]] double radius() const;
  [[nodiscard]] bool contains(const Place& p) const;
  /// About the same middle, each side so many times as long.
  [[nodiscard]] Volume scaled(double factor) const;
};

class Camera {
 public:
  /// Angles in degrees: azimuth in the x-y plane from +x towards +y, elevation above it; where the eye is.
  Camera(const Volume& volume, double azimuth, double elevation);

  /// Chooses scale and middle so that the volume fills `room`; `turning`: at every azimuth.
  void fit(const Box& room, bool turning);

  /// The same for almost all of these places.
  void fit(const Box& room, bool turning, const std::vector<Place>& places);

  /// The same camera, moved around the middle.
  [[nodiscard]] Camera turned_to(double azimuth, double elevation) const;
  /// All looks so many times as large.
  void magnify(double factor) { scale_ *= factor; }
  /// The middle comes to be seen there.
  void aim(Point at) { origin_ = at; }

  [[nodiscard]] Point at(const Place& p) const;
  /// Above 0 in front of the middle, below 0 behind it; ±1 at the ends of the volume.
  [[nodiscard]] double nearness(const Place& p) const;
  /// How much larger than in the middle a thing looks there.
  [[nodiscard]] double magnification(const Place& p) const;
  /// From the middle to the eye, length 1.
  [[nodiscard]] const Place& eye() const { return eye_; }
  /// Pixels a unit of length, in the middle.
  [[nodiscard]] double scale() const { return scale_; }

 private:
  void turn(double azimuth, double elevation);
  using Measure = std::function<Box(const Camera&)>;
  void fit(const Box& room, bool turning, const Measure& seen);

  Volume volume_;
  Place middle_;
  double radius_, elevation_ = 0;
  Place right_{}, up_{}, eye_{};
  double scale_ = 1;
  Point origin_;
};

}  // namespace orrery::render
