// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "pipeline/pictures/run_info.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/between.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// Interpolates frames of a trajectory: cubic Hermite polynomials between stored frames, linear if there are no velocities.
/// Takes account of periodic images and of walls. A body whose way between two frames is not known stays where it is in the
/// nearer one. Caches two frames, so that sequential access reads each frame once.
class FilmFrames {
 public:
  /// If not `velocities`, results have no velocities. Stored velocities are still used for interpolation. `between`: where ways
  /// are known; null: everywhere.
  explicit FilmFrames(const TrajectoryReader& trajectory, bool velocities = true,
                      std::shared_ptr<const render::Between> between = nullptr)
      : trajectory_(trajectory),
        between_(std::move(between)),
        bounds_(bounds_of(trajectory.record().domain)),
        velocities_(velocities),
        backward_(trajectory.record().dt < 0) {}

  [[nodiscard]] render::Frame at(double time) {
    const std::size_t left = before(time);
    if (left != left_) {
      if (left == left_ + 1 && has_next_)
        std::swap(a_, b_);
      else
        a_ = trajectory_.frame(left, std::move(a_));
      has_next_ = false;
      left_ = left;
    }
    if (!earlier(a_.time, time) || left + 1 == trajectory_.size()) {
      render::Frame frame = a_;
      if (!velocities_) frame.velocity = {};
      return frame;
    }
    if (!std::exchange(has_next_, true)) b_ = trajectory_.frame(left + 1, std::move(b_));
    // The caller may still keep the last result, but hardly the one before.
    std::swap(now_, last_);
    render::interpolate(a_, b_, time, bounds_, velocities_, now_);
    if (between_) between_->hold(a_, b_, now_);
    return now_;
  }
  /// Whether time a is before b in the order of the run, which may be backward.
  [[nodiscard]] bool earlier(double a, double b) const { return backward_ ? a > b : a < b; }

 private:
  /// The index of the last stored frame at `time` or earlier.
  [[nodiscard]] std::size_t before(double time) const {
    const auto& times = trajectory_.times();
    const auto after = std::ranges::upper_bound(times, time, [&](double a, double b) { return earlier(a, b); });
    return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
  }

  const TrajectoryReader& trajectory_;
  std::shared_ptr<const render::Between> between_;
  render::Bounds bounds_;
  bool velocities_, backward_;
  std::size_t left_ = static_cast<std::size_t>(-1);  ///< index of `a_`
  render::Frame a_, b_;
  bool has_next_ = false;     ///< `b_` is the frame after `a_`
  render::Frame now_, last_;  ///< the last two interpolated frames, for their memory
};

}  // namespace orrery::pipeline
