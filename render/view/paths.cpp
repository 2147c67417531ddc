// SPDX-License-Identifier: MIT
#include "render/view/paths.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/view/place.hpp"

namespace orrery::render {
namespace {

using Triple = std::array<float, 3>;

Triple triple_of(const std::vector<float>& xyz, std::size_t body) {
  return {xyz[3 * body], xyz[3 * body + 1], xyz[3 * body + 2]};
}

bool is_finite(const Triple& p) {
  return std::isfinite(p[0] + p[1] + p[2]);
}

/// Interpolates from a to b; u and v are the velocities times the interval.
Triple interpolated(const Triple& a, const Triple& u, const Triple& b, const Triple& v, float s) {
  Triple p{};
  for (std::size_t k = 0; k < 3; ++k) p[k] = hermite(s, a[k], u[k], b[k], v[k]);
  return p;
}

/// Returns the number of straight segments for an arc, one per six degrees; 1 if frames are too far apart for their
/// velocities to be useful, since the curve would have false loops.
int segments(const Triple& a, const Triple& u, const Triple& b, const Triple& v) {
  const Triple chord{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float c = dot(chord, chord), uu = dot(u, u), vv = dot(v, v);
  if (c == 0 || uu == 0 || vv == 0 || uu > 9 * c || vv > 9 * c) return 1;
  const float start = std::acos(std::clamp(dot(u, chord) / std::sqrt(uu * c), -1.F, 1.F));
  const float end = std::acos(std::clamp(dot(v, chord) / std::sqrt(vv * c), -1.F, 1.F));
  return std::clamp(static_cast<int>(std::ceil((start + end) / 0.105F)), 1, 24);
}

/// Returns whether a body was moved to another image of the box between two frames, in a rotating frame of reference, where the
/// ends of the box are no planes along which the path could be divided.
bool is_interrupted(const Bounds& bounds, const Frame& from, const Frame& to, std::size_t body) {
  for (std::size_t k = 3 * body; k < std::min({3 * body + 3, from.image.size(), to.image.size()}); ++k) {
    if (!bounds.periodic[k % 3] && from.image[k] != to.image[k]) return true;
  }
  return false;
}

using Cell = std::array<double, 3>;  ///< index of a periodic image of the box

/// Wraps an unwrapped path into the box and splits it at periodic ends.
class Wrapper {
 public:
  explicit Wrapper(const Bounds& bounds) : bounds_(bounds) {}

  /// Makes the image of the last point the origin of images for the next points.
  void begin() {
    for (std::size_t k = 0; k < 3; ++k) last_.at[k] -= static_cast<float>(cell_[k] * bounds_.period(k));
    cell_ = {};
  }

  /// Continues at the next point, not from the last one.
  void interrupt() {
    if (!pieces.back().empty()) pieces.emplace_back();
  }

  /// Adds a point, which is in image `cell`.
  void add(const Waypoint& to, const Cell& cell) {
    for (int crossings = 0; cell != cell_ && !pieces.back().empty(); ++crossings) {
      // Too many to follow: continue at the point itself.
      if (crossings == max_crossings) {
        pieces.emplace_back();
        break;
      }
      cross(to, cell);
    }
    cell_ = cell;
    put(to);
    last_ = to;
  }

  std::vector<PathPiece> pieces{PathPiece{}};

 private:
  static constexpr int max_crossings = 64;

  /// Ends a piece at the first periodic end on the way to `to`, and starts the next one at the opposite end.
  void cross(const Waypoint& to, const Cell& cell) {
    std::size_t axis = 0;
    double soonest = 2;
    for (std::size_t k = 0; k < 3; ++k) {
      if (cell[k] == cell_[k]) continue;
      const double end = bounds_.low[k] + (cell_[k] + (cell[k] > cell_[k] ? 1 : 0)) * bounds_.period(k);
      const double from = static_cast<double>(last_.at[k]), way = static_cast<double>(to.at[k]) - from;
      const double s = way == 0 ? 0 : std::clamp((end - from) / way, 0.0, 1.0);
      if (s < soonest) soonest = s, axis = k;
    }
    const Waypoint there = waypoint_between(last_, to, static_cast<float>(soonest));
    put(there);
    cell_[axis] += cell[axis] > cell_[axis] ? 1 : -1;
    pieces.emplace_back();
    put(there);
    last_ = there;
  }

  void put(Waypoint w) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!bounds_.closed[k]) continue;
      const double in = static_cast<double>(w.at[k]) - cell_[k] * bounds_.period(k);
      w.at[k] = static_cast<float>(std::clamp(in, bounds_.low[k], bounds_.high[k]));
    }
    pieces.back().push_back(w);
  }

  const Bounds& bounds_;
  Cell cell_{};      // of the last point
  Waypoint last_{};  // unwrapped
};

}  // namespace

void Paths::append(Frame frame) {
  if (frames_.empty() && frame.size() <= max_bodies_with_paths) first_ = frame;
  if (frame.size() > max_bodies_with_paths || trails_.time <= 0) frames_.clear();
  // Keep one frame beyond the end of the trail, so that the end moves evenly.
  while (frames_.size() > 1 && std::abs(frame.time - frames_[1]->time) > trails_.time) frames_.pop_front();
  frames_.push_back(std::make_shared<const Frame>(std::move(frame)));
}

float Paths::freshness(double time) const {
  if (std::isinf(trails_.time)) return 1;
  return static_cast<float>(std::clamp(1 - std::abs(now().time - time) / trails_.time, 0.0, 1.0));
}

std::vector<PathPiece> Paths::of(std::size_t body) const {
  Wrapper path(bounds_);
  const Frame* before = nullptr;  // the last frame with a finite position
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = *frames_[i];
    Triple b = triple_of(frame.position, body);
    if (!is_finite(b)) continue;
    const bool unknown = before != nullptr && between_ != nullptr && !between_->known(body, before->time, frame.time);
    const bool apart = unknown || (before != nullptr && is_interrupted(bounds_, *before, frame, body));
    const bool curved = !apart && before != nullptr && before == frames_[i - 1].get() && !frame.velocity.empty() &&
                        !before->velocity.empty();
    Cell laps{};  // since that frame
    for (std::size_t k = 0; k < 3 && before != nullptr; ++k) {
      if (!bounds_.periodic[k]) continue;
      laps[k] = images_crossed(bounds_, *before, frame, 3 * body + k);
      b[k] += static_cast<float>(laps[k] * bounds_.period(k));
    }
    path.begin();
    if (apart) path.interrupt();
    if (curved) {
      const Triple a = triple_of(before->position, body);
      Triple u = triple_of(before->velocity, body), v = triple_of(frame.velocity, body);
      const auto interval = static_cast<float>(frame.time - before->time);
      for (std::size_t k = 0; k < 3; ++k) {
        u[k] *= interval;
        v[k] *= interval;
      }
      const int count = is_finite(u) && is_finite(v) ? segments(a, u, b, v) : 1;
      for (int part = 1; part < count; ++part) {
        const float s = static_cast<float>(part) / static_cast<float>(count);
        const double time = before->time + (frame.time - before->time) * static_cast<double>(s);
        const Triple at = interpolated(a, u, b, v, s);
        Cell cell{};
        for (std::size_t k = 0; k < 3; ++k) cell[k] = image_index(bounds_, k, static_cast<double>(at[k]));
        path.add({at, freshness(time), shade_of(*before, body) * (1 - s) + shade_of(frame, body) * s}, cell);
      }
    }
    path.add({b, freshness(frame.time), shade_of(frame, body)}, laps);
    before = &frame;
  }
  return std::move(path.pieces);
}

}  // namespace orrery::render
