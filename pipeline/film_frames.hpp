// SPDX-License-Identifier: MIT
// Frames of a trajectory at any time between the first and the last.
#pragma once

#include <cstddef>

#include "pipeline/trajectory.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// The frame at `time`: a cubic Hermite curve through the stored frames on both sides with their velocities,
/// a straight line where velocities were not kept. Remembers those two frames, so that going forward reads
/// each frame once.
class FilmFrames {
 public:
  explicit FilmFrames(const TrajectoryReader& trajectory) : trajectory_(trajectory) {}

  [[nodiscard]] render::Frame at(double time);

 private:
  /// The last stored frame at or before `time`.
  [[nodiscard]] std::size_t before(double time) const;

  const TrajectoryReader& trajectory_;
  std::size_t left_ = static_cast<std::size_t>(-1);  ///< which frame `a_` is
  render::Frame a_, b_;
};

}  // namespace orrery::pipeline
