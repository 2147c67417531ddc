// SPDX-License-Identifier: MIT
// Where bodies have been: their paths, smooth between the frames, and how old each place is.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "render/figure.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// One place on a path; `freshness` is 1 now and 0 where the trail ends, and 1 throughout where it never ends.
struct Waypoint {
  std::array<float, 3> at;
  float freshness = 1;
  float shade = 0;  ///< as shade_of() has it
};

/// A part of a path that is drawn without lifting the pen.
using PathPiece = std::vector<Waypoint>;

/// Copies share the frames.
class Paths {
 public:
  /// `bounds`: of the space as frames see it.
  explicit Paths(Trails trails, const Bounds& bounds = {}) : trails_(trails), bounds_(bounds) {}

  /// Takes in the next moment, and forgets what is older than the trails are long: O(N).
  void append(Frame frame);

  [[nodiscard]] bool empty() const { return frames_.empty(); }
  [[nodiscard]] std::size_t bodies() const { return empty() ? 0 : now().size(); }
  [[nodiscard]] const Frame& now() const { return *frames_.back(); }
  /// Empty where they are a crowd.
  [[nodiscard]] const Frame& first() const { return first_; }

  /// The path of a body from its oldest place to now. Between frames it follows the cubic through both places
  /// with both velocities, where the run kept them. Where it leaves a box at an end that is joined to the other it ends, and
  /// goes on from there: as many pieces, one at least.
  [[nodiscard]] std::vector<PathPiece> of(std::size_t body) const;

 private:
  [[nodiscard]] float freshness(double time) const;

  Trails trails_;
  Bounds bounds_;
  Frame first_;
  std::deque<std::shared_ptr<const Frame>> frames_;
};

}  // namespace orrery::render
