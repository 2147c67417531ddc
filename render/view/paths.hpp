// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "render/between.hpp"
#include "render/figure.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// A point of a path; `freshness` decreases from 1 now to 0 at the end of the trail, and is always 1 if the trail has no end.
struct Waypoint {
  std::array<float, 3> at;
  float freshness = 1;
  float shade = 0;  ///< see shade_of()
};

/// Returns the point at s in [0, 1] on the straight line from a to b.
inline Waypoint waypoint_between(const Waypoint& a, const Waypoint& b, float s) {
  Waypoint w{
      .at = {}, .freshness = a.freshness + s * (b.freshness - a.freshness), .shade = a.shade + s * (b.shade - a.shade)};
  for (std::size_t k = 0; k < 3; ++k) w.at[k] = a.at[k] + s * (b.at[k] - a.at[k]);
  return w;
}

/// A continuous part of a path.
using PathPiece = std::vector<Waypoint>;

/// The paths of bodies, interpolated between frames. Copies share the frames.
class Paths {
 public:
  /// `bounds`: the box in the reference frame; `between`: where paths are known, null: everywhere.
  explicit Paths(Trails trails, const Bounds& bounds = {}, std::shared_ptr<const Between> between = nullptr)
      : trails_(trails), bounds_(bounds), between_(std::move(between)) {}

  /// Adds a frame and removes those that are older than the trails. O(N).
  void append(Frame frame);

  [[nodiscard]] bool empty() const { return frames_.empty(); }
  [[nodiscard]] std::size_t bodies() const { return empty() ? 0 : now().size(); }
  [[nodiscard]] const Frame& now() const { return *frames_.back(); }
  /// Returns the first frame; empty if there are too many bodies for paths.
  [[nodiscard]] const Frame& first() const { return first_; }

  /// Returns the path of a body up to now: a cubic Hermite curve if frames have velocities, otherwise straight lines. A
  /// crossing of a periodic end starts a new piece, and so does a frame before which the path is not known; there is at least one.
  [[nodiscard]] std::vector<PathPiece> of(std::size_t body) const;
  /// Returns whether pieces of one point are drawn, as dots: the path around them is not known.
  [[nodiscard]] bool has_dots() const { return between_ != nullptr && !between_->all_known(); }

 private:
  [[nodiscard]] float freshness(double time) const;

  Trails trails_;
  Bounds bounds_;
  std::shared_ptr<const Between> between_;
  Frame first_;
  std::deque<std::shared_ptr<const Frame>> frames_;
};

}  // namespace orrery::render
