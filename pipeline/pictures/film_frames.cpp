// SPDX-License-Identifier: MIT
#include "pipeline/pictures/film_frames.hpp"

#include <algorithm>
#include <utility>

#include "pipeline/pictures/run_info.hpp"

namespace orrery::pipeline {

FilmFrames::FilmFrames(const TrajectoryReader& trajectory, bool velocities)
    : trajectory_(trajectory),
      bounds_(bounds_of(trajectory.record().domain)),
      velocities_(velocities),
      backward_(trajectory.record().dt < 0) {}

std::size_t FilmFrames::before(double time) const {
  const auto& times = trajectory_.times();
  const auto after = std::ranges::upper_bound(times, time, [&](double a, double b) { return earlier(a, b); });
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

render::Frame FilmFrames::at(double time) {
  const std::size_t left = before(time);
  if (left != left_) {
    if (left == left_ + 1) std::swap(a_, b_);
    if (left != left_ + 1 || a_.position.empty()) a_ = trajectory_.frame(left, std::move(a_));
    b_ = left + 1 < trajectory_.size() ? trajectory_.frame(left + 1, std::move(b_)) : render::Frame{};
    left_ = left;
  }
  const double s = (time - a_.time) / (b_.time - a_.time);
  if (b_.position.empty() || !(s > 0)) {
    render::Frame frame = a_;
    if (!velocities_) frame.velocity = {};
    return frame;
  }
  // The caller may still keep the last result, but hardly the one before.
  std::swap(now_, last_);
  render::interpolate(a_, b_, time, bounds_, velocities_, now_);
  return now_;
}

}  // namespace orrery::pipeline
