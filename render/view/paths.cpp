// SPDX-License-Identifier: MIT
// Paths are cubic Hermite curves through the frames.
#include "render/view/paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/hermite.hpp"
#include "render/view/place.hpp"

namespace orrery::render {
namespace {

using Triple = std::array<float, 3>;

Triple triple_of(const std::vector<float>& xyz, std::size_t body) {
  return {xyz[3 * body], xyz[3 * body + 1], xyz[3 * body + 2]};
}

/// A body that has left the numbers has no place any more.
bool somewhere(const Triple& p) {
  return std::isfinite(p[0] + p[1] + p[2]);
}

/// At s between two places; u and v are velocity times the interval.
Triple between(const Triple& a, const Triple& u, const Triple& b, const Triple& v, float s) {
  Triple p{};
  for (std::size_t k = 0; k < 3; ++k) p[k] = hermite(s, a[k], u[k], b[k], v[k]);
  return p;
}

/// How many pieces a bend needs: one in six degrees. One where the frames are too far apart for the
/// velocities to mean anything: the curve would loop where the body did not.
int pieces(const Triple& a, const Triple& u, const Triple& b, const Triple& v) {
  const Triple chord{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float c = dot(chord, chord), uu = dot(u, u), vv = dot(v, v);
  if (c == 0 || uu == 0 || vv == 0 || uu > 9 * c || vv > 9 * c) return 1;
  const float start = std::acos(std::clamp(dot(u, chord) / std::sqrt(uu * c), -1.F, 1.F));
  const float end = std::acos(std::clamp(dot(v, chord) / std::sqrt(vv * c), -1.F, 1.F));
  return std::clamp(static_cast<int>(std::ceil((start + end) / 0.105F)), 1, 24);
}

}  // namespace

void Paths::append(Frame frame) {
  if (frames_.empty()) {
    if (frame.size() <= most_bodies_with_paths) first_ = frame;
    for (std::size_t k = 0; k < 3 && frame.size() > 0; ++k) {
      extent_.low[k] = extent_.high[k] = static_cast<double>(frame.position[k]);
    }
  }
  for (std::size_t i = 0; i < frame.position.size(); ++i) {
    const auto x = static_cast<double>(frame.position[i]);
    if (!std::isfinite(x)) continue;
    extent_.low[i % 3] = std::min(extent_.low[i % 3], x);
    extent_.high[i % 3] = std::max(extent_.high[i % 3], x);
  }
  if (frame.size() > most_bodies_with_paths || trails_.time <= 0) frames_.clear();
  // One frame beyond the trail's end stays, so that the end moves evenly.
  while (frames_.size() > 1 && std::abs(frame.time - frames_[1]->time) > trails_.time) frames_.pop_front();
  frames_.push_back(std::make_shared<const Frame>(std::move(frame)));
}

float Paths::freshness(double time) const {
  if (std::isinf(trails_.time)) return 1;
  return static_cast<float>(std::clamp(1 - std::abs(now().time - time) / trails_.time, 0.0, 1.0));
}

std::vector<Waypoint> Paths::of(std::size_t body) const {
  std::vector<Waypoint> path;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = *frames_[i];
    const Triple b = triple_of(frame.position, body);
    if (!somewhere(b)) continue;
    if (i > 0 && !frame.velocity.empty() && !frames_[i - 1]->velocity.empty()) {
      const Frame& before = *frames_[i - 1];
      const Triple a = triple_of(before.position, body);
      Triple u = triple_of(before.velocity, body), v = triple_of(frame.velocity, body);
      const auto interval = static_cast<float>(frame.time - before.time);
      for (std::size_t k = 0; k < 3; ++k) {
        u[k] *= interval;
        v[k] *= interval;
      }
      const int count = somewhere(a) && somewhere(u) && somewhere(v) ? pieces(a, u, b, v) : 1;
      for (int piece = 1; piece < count; ++piece) {
        const float s = static_cast<float>(piece) / static_cast<float>(count);
        const double time = before.time + (frame.time - before.time) * static_cast<double>(s);
        path.push_back(
            {between(a, u, b, v, s), freshness(time), shade_of(before, body) * (1 - s) + shade_of(frame, body) * s});
      }
    }
    path.push_back({b, freshness(frame.time), shade_of(frame, body)});
  }
  return path;
}

}  // namespace orrery::render
