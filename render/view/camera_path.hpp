// SPDX-License-Identifier: MIT
// Where the eye is at each moment: at rest, once round, or from key frame to key frame.
#pragma once

#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// Angles in degrees, as of a Camera; `zoom` above 1 is closer.
struct Pose {
  double azimuth = 0, elevation = 0, zoom = 1;
};

class CameraPath {
 public:
  /// Reads the keys `camera`, `azimuth`, `elevation` and `key`, the frames: each has a `time`, or `at`, its share of the
  /// film, and what a frame does not say stays on its way to the next that does. Throws ArgumentError.
  CameraPath(const RunInfo& info, const Arguments& arguments);

  [[nodiscard]] Pose at(double time) const;
  /// It goes round.
  [[nodiscard]] bool turns() const { return turns_; }

 private:
  /// One number over shares 0 … 1 of the film: exactly the keys' values at the keys, monotone in between without a kink,
  /// at rest before the first and after the last (Fritsch & Carlson 1980).
  struct Track {
    std::vector<double> when, value, slope;
    void settle();
    [[nodiscard]] double at(double share) const;
  };

  const RunInfo& info_;
  bool orbits_, turns_;
  Track azimuth_, elevation_, zoom_;  // of zoom the logarithm
};

}  // namespace orrery::render
