// SPDX-License-Identifier: MIT
// The random numbers of one body, and what initial states make of them: directions and normal deviates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/bodies.hpp"
#include "sim/elementary.hpp"
#include "sim/random.hpp"

namespace orrery::sim {

/// Draws number after number of a stream, from number `first` on.
class Sampler {
 public:
  Sampler(const Random& random, std::uint64_t first) : random_(random), next_(first) {}

  double uniform() { return random_.uniform(next_++); }
  Direction direction() { return sim::direction(uniform()); }
  /// Two normal numbers of variance 1 (Box & Muller 1958).
  Direction normal() {
    const double length = std::sqrt(-2 * natural_log(1 - uniform()));
    const Direction d = direction();
    return {length * d.cosine, length * d.sine};
  }
  /// A point of the sphere of that radius, evenly.
  Vec3 on_sphere(double radius) {
    const Direction at = direction();
    const double height = 2 * uniform() - 1, R = std::sqrt(1 - height * height);
    return {radius * R * at.cosine, radius * R * at.sine, radius * height};
  }
  /// The greatest of three uniform numbers, whose cube is uniform: r/R of a point in a ball.
  double cube_root() { return std::max({uniform(), uniform(), uniform()}); }

 private:
  const Random& random_;
  std::uint64_t next_;
};

}  // namespace orrery::sim
