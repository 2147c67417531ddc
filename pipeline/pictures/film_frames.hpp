// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "pipeline/trajectory/trajectory.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// Interpolates frames of a trajectory: cubic Hermite polynomials between stored frames, linear if there are no velocities.
/// Takes account of periodic images and of walls. Caches two frames, so that sequential access reads each frame once.
class FilmFrames {
 public:
  /// If not `velocities`, results have no velocities. Stored velocities are still used for interpolation.
  explicit FilmFrames(const TrajectoryReader& trajectory, bool velocities = true);

  [[nodiscard]] render::Frame at(double time);
  /// Whether time a is before b in the order of the run, which may be backward.
  [[nodiscard]] bool earlier(double a, double b) const { return backward_ ? a > b : a < b; }

 private:
  /// The index of the last stored frame at `time` or earlier.
  [[nodiscard]] std::size_t before(double time) const;

  const TrajectoryReader& trajectory_;
  render::Bounds bounds_;
  bool velocities_, backward_;
  std::size_t left_ = static_cast<std::size_t>(-1);  ///< index of `a_`
  render::Frame a_, b_;
  render::Frame now_, last_;  ///< the last two interpolated frames, for their memory
};

}  // namespace orrery::pipeline
