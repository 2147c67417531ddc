// SPDX-License-Identifier: MIT
// Frames of a trajectory at any time between the first and the last.
#pragma once

#include <cstddef>

#include "pipeline/trajectory/trajectory.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// The frame at `time`: a cubic Hermite curve through the stored frames on both sides with their velocities,
/// a straight line where velocities were not kept. Through an end of the box that is joined to the other it goes to the image
/// that the body went to, and no wall is passed. Remembers those two frames, so that going forward reads
/// each frame once.
class FilmFrames {
 public:
  /// Without `velocities` its frames have none; they serve to interpolate even so.
  explicit FilmFrames(const TrajectoryReader& trajectory, bool velocities = true);

  [[nodiscard]] render::Frame at(double time);
  /// Whether the run came to time a before it came to b: one that goes backward has falling times.
  [[nodiscard]] bool earlier(double a, double b) const { return backward_ ? a > b : a < b; }

 private:
  /// The last stored frame at `time` or earlier.
  [[nodiscard]] std::size_t before(double time) const;

  const TrajectoryReader& trajectory_;
  render::Bounds bounds_;
  bool velocities_, backward_;
  std::size_t left_ = static_cast<std::size_t>(-1);  ///< which frame `a_` is
  render::Frame a_, b_;
};

}  // namespace orrery::pipeline
