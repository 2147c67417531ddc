// SPDX-License-Identifier: MIT
#include "pipeline/page/ways.hpp"

#include <algorithm>
#include <cmath>

#include "render/between.hpp"

namespace orrery::pipeline {
namespace {

/// Whether a body moves by half a period or more between two frames.
bool moves_far(const render::Frame& from, const render::Frame& to, std::size_t body, const render::Bounds& bounds) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t k = 3 * body + axis;
    const double period = bounds.period(axis), moved = static_cast<double>(to.position[k]) - from.position[k];
    if (period > 0 && std::abs(moved + render::images_crossed(bounds, from, to, k) * period) >= period / 2) return true;
  }
  return false;
}

}  // namespace

Ways ways_between(const std::vector<render::Frame>& frames, const render::Bounds& bounds) {
  if (frames.size() < 2) return {};
  const render::Between between(frames, bounds);
  const std::size_t bodies = frames.front().size(), all = (frames.size() - 1) * bodies;
  Ways ways{.unknown = std::string((all + 7) / 8, '\0')};
  std::size_t count = 0;
  for (std::size_t i = 0; i < all; ++i) {
    const render::Frame &from = frames[i / bodies], &to = frames[i / bodies + 1];
    if (between.known(i % bodies, from.time, to.time) && !moves_far(from, to, i % bodies, bounds)) continue;
    ways.unknown[i / 8] = static_cast<char>(static_cast<unsigned char>(ways.unknown[i / 8]) | 1U << (i % 8));
    ways.bodies.insert(i % bodies);
    ++count;
  }
  if (count == 0) return {};
  ways.share = static_cast<double>(count) / static_cast<double>(all);
  return ways;
}

PackedVelocities packed_velocities(const std::vector<render::Frame>& frames, double unit, double quantum_of_positions) {
  std::vector<float> velocities;
  double longest = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (frames[k].velocity.empty()) return {};
    for (const float v : frames[k].velocity) velocities.push_back(static_cast<float>(v * unit));
    if (k > 0) longest = std::max(longest, std::abs(frames[k].time - frames[k - 1].time) / unit);
  }
  if (!(longest > 0)) return {};
  const double quantum = quantum_of_positions / longest;
  return {render::packed_frames(velocities, frames.size(), frames.front().size(), {}, quantum), quantum};
}

}  // namespace orrery::pipeline
