// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// Angles in degrees as for Camera; `zoom` > 1 is closer.
struct Pose {
  double azimuth = 0, elevation = 0, zoom = 1;
};

/// The camera at each moment: fixed, orbiting once, or moving between key frames.
class CameraPath {
 public:
  /// Reads the keys `camera`, `azimuth`, `elevation` and `key`, a list of key frames, each with a `time` of the run or a
  /// fraction `at` of the film. A value that a key frame omits is interpolated between those that have it. Throws
  /// ArgumentError.
  CameraPath(const RunInfo& info, const Arguments& arguments);

  [[nodiscard]] Pose at(double time) const;
  /// Returns whether the azimuth changes.
  [[nodiscard]] bool turns() const { return turns_; }

 private:
  /// Monotone cubic interpolation of one value over fractions 0 … 1 of the film (Fritsch & Carlson 1980), constant before the
  /// first and after the last key.
  struct Track {
    std::vector<double> when, value, slope;
    void settle();
    [[nodiscard]] double at(double share) const;
  };

  const RunInfo& info_;
  bool orbits_, turns_;
  Track azimuth_, elevation_, zoom_;  // the latter is a logarithm
};

}  // namespace orrery::render
