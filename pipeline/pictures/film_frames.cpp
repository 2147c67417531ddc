// SPDX-License-Identifier: MIT
#include "pipeline/pictures/film_frames.hpp"

#include <algorithm>
#include <cstdint>

#include "pipeline/pictures/run_info.hpp"
#include "render/bands.hpp"
#include "render/hermite.hpp"

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
    a_ = left == left_ + 1 && !b_.position.empty() ? std::move(b_) : trajectory_.frame(left);
    b_ = left + 1 < trajectory_.size() ? trajectory_.frame(left + 1) : render::Frame{};
    left_ = left;
  }
  const double h = b_.time - a_.time, s = (time - a_.time) / h;
  render::Frame frame{.time = a_.time, .position = a_.position, .velocity = {}, .density = {}, .image = a_.image};
  if (velocities_) frame.velocity = a_.velocity;
  if (b_.position.empty() || !(s > 0)) return frame;
  frame.time = time;
  const bool curved = !a_.velocity.empty();
  render::parallel_parts(frame.position.size(), frame.position.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t axis = k % 3;
      const double laps = render::images_crossed(bounds_, a_, b_, k);
      const double x0 = a_.position[k], x1 = static_cast<double>(b_.position[k]) + laps * bounds_.period(axis);
      const double chord = (x1 - x0) / h;
      const double v0 = curved ? a_.velocity[k] : chord, v1 = curved ? b_.velocity[k] : chord;
      const double x = render::hermite(s, x0, h * v0, x1, h * v1);
      frame.position[k] = static_cast<float>(render::wrapped_coordinate(bounds_, axis, x));
      if (!frame.image.empty()) frame.image[k] += static_cast<std::int32_t>(render::image_index(bounds_, axis, x));
      if (!frame.velocity.empty()) frame.velocity[k] = static_cast<float>(v0 + s * (v1 - v0));
    }
  });
  return frame;
}

}  // namespace orrery::pipeline
