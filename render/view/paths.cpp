// SPDX-License-Identifier: MIT
// Paths are cubic Hermite curves through the frames.
#include "render/view/paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

using Cell = std::array<double, 3>;  ///< how many lengths of the box away, along each axis

/// Draws a way that is told as if the box had no end, image by image, into the box.
class Pen {
 public:
  explicit Pen(const Bounds& bounds) : bounds_(bounds) {}

  /// What comes is told as seen from the box that it is in.
  void begin() {
    for (std::size_t k = 0; k < 3; ++k) last_.at[k] -= static_cast<float>(cell_[k] * bounds_.period(k));
    cell_ = {};
  }

  /// On to `to`, which is in that image of the box.
  void go(const Waypoint& to, const Cell& cell) {
    for (int crossings = 0; cell != cell_ && !strands.back().empty(); ++crossings) {
      // Too many to follow: it comes up where it is.
      if (crossings == most_crossings) {
        strands.emplace_back();
        break;
      }
      cross(to, cell);
    }
    cell_ = cell;
    put(to);
    last_ = to;
  }

  std::vector<PathPiece> strands{PathPiece{}};

 private:
  static constexpr int most_crossings = 64;

  /// To the first end that is in the way, and to the other one.
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
    const auto s = static_cast<float>(soonest);
    Waypoint there{.at = {},
                   .freshness = last_.freshness + s * (to.freshness - last_.freshness),
                   .shade = last_.shade + s * (to.shade - last_.shade)};
    for (std::size_t k = 0; k < 3; ++k) there.at[k] = last_.at[k] + s * (to.at[k] - last_.at[k]);
    put(there);
    cell_[axis] += cell[axis] > cell_[axis] ? 1 : -1;
    strands.emplace_back();
    put(there);
    last_ = there;
  }

  void put(Waypoint w) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!bounds_.closed[k]) continue;
      const double in = static_cast<double>(w.at[k]) - cell_[k] * bounds_.period(k);
      w.at[k] = static_cast<float>(std::clamp(in, bounds_.low[k], bounds_.high[k]));
    }
    strands.back().push_back(w);
  }

  const Bounds& bounds_;
  Cell cell_{};      // where the pen is
  Waypoint last_{};  // as it was told
};

}  // namespace

void Paths::append(Frame frame) {
  if (frames_.empty() && frame.size() <= most_bodies_with_paths) first_ = frame;
  if (frame.size() > most_bodies_with_paths || trails_.time <= 0) frames_.clear();
  // One frame beyond the trail's end stays, so that the end moves evenly.
  while (frames_.size() > 1 && std::abs(frame.time - frames_[1]->time) > trails_.time) frames_.pop_front();
  frames_.push_back(std::make_shared<const Frame>(std::move(frame)));
}

float Paths::freshness(double time) const {
  if (std::isinf(trails_.time)) return 1;
  return static_cast<float>(std::clamp(1 - std::abs(now().time - time) / trails_.time, 0.0, 1.0));
}

std::vector<PathPiece> Paths::of(std::size_t body) const {
  Pen pen(bounds_);
  const Frame* before = nullptr;  // the last in which it has a place
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = *frames_[i];
    Triple b = triple_of(frame.position, body);
    if (!somewhere(b)) continue;
    const bool curved = i > 0 && before == frames_[i - 1].get() && !frame.velocity.empty() && !before->velocity.empty();
    Cell laps{};  // on the way here
    for (std::size_t k = 0; k < 3 && before != nullptr; ++k) {
      if (!bounds_.joined[k]) continue;
      laps[k] = laps_between(bounds_, *before, frame, 3 * body + k);
      b[k] += static_cast<float>(laps[k] * bounds_.period(k));
    }
    pen.begin();
    if (curved) {
      const Triple a = triple_of(before->position, body);
      Triple u = triple_of(before->velocity, body), v = triple_of(frame.velocity, body);
      const auto interval = static_cast<float>(frame.time - before->time);
      for (std::size_t k = 0; k < 3; ++k) {
        u[k] *= interval;
        v[k] *= interval;
      }
      const int count = somewhere(u) && somewhere(v) ? pieces(a, u, b, v) : 1;
      for (int piece = 1; piece < count; ++piece) {
        const float s = static_cast<float>(piece) / static_cast<float>(count);
        const double time = before->time + (frame.time - before->time) * static_cast<double>(s);
        const Triple at = between(a, u, b, v, s);
        Cell cell{};
        for (std::size_t k = 0; k < 3; ++k) cell[k] = laps_of(bounds_, k, static_cast<double>(at[k]));
        pen.go({at, freshness(time), shade_of(*before, body) * (1 - s) + shade_of(frame, body) * s}, cell);
      }
    }
    pen.go({b, freshness(frame.time), shade_of(frame, body)}, laps);
    before = &frame;
  }
  return std::move(pen.strands);
}

}  // namespace orrery::render
