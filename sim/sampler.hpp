// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/bodies.hpp"
#include "sim/elementary.hpp"
#include "sim/random.hpp"

namespace orrery::sim {

/// Draws consecutive numbers of a stream, beginning with number `first`, as scalars, directions and normal deviates.
class Sampler {
 public:
  Sampler(const Random& random, std::uint64_t first) : random_(random), next_(first) {}

  double uniform() { return random_.uniform(next_++); }
  Direction direction() { return sim::direction(uniform()); }
  /// Two independent normal deviates of variance 1.
  Direction normal() {
    const double first = 1 - uniform();
    return normal_pair(first, uniform());
  }
  /// A uniformly distributed point on the sphere of that radius.
  Vec3 on_sphere(double radius) {
    const Direction at = direction();
    const double height = 2 * uniform() - 1, R = std::sqrt(1 - height * height);
    return {radius * R * at.cosine, radius * R * at.sine, radius * height};
  }
  /// r/R of a uniformly distributed point in a ball: the maximum of three uniform numbers, whose cube is uniform.
  double ball_radius() { return std::max({uniform(), uniform(), uniform()}); }

 private:
  const Random& random_;
  std::uint64_t next_;
};

}  // namespace orrery::sim
