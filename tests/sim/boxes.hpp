// SPDX-License-Identifier: MIT
// Shared by tests of boxes: evenly spread bodies, and bounded domains.
#pragma once

#include <cmath>
#include <cstddef>

#include "sim/boundaries/list.hpp"
#include "sim/random.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {

/// Sites along an axis of the smallest grid with at least n sites.
inline std::size_t side_of(std::size_t n, int dimensions) {
  std::size_t side = 1;
  while (side * side * (dimensions == 3 ? side : 1) < n) ++side;
  return side;
}

/// n bodies on a square or cubic grid of the given spacing from the origin on, each displaced at random by at most a
/// tenth of it along each axis, so no two are closer than 0.8 of it. Masses 0.5 … 1.5, velocities −speed … speed.
inline Bodies gas(std::size_t n, int dimensions, double spacing, double speed = 1, std::uint64_t seed = 1) {
  const Random random(seed, 7);
  const std::size_t side = side_of(n, dimensions);
  Bodies bodies;
  bodies.position = bodies.velocity = Vectors(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass.push_back(random.between(0.5, 1.5, 7 * i));
    const std::size_t sites[] = {i % side, i / side % side, i / side / side};
    std::vector<double>* const x[] = {&bodies.position.x, &bodies.position.y, &bodies.position.z};
    std::vector<double>* const v[] = {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z};
    for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
      (*x[q])[i] = spacing * (static_cast<double>(sites[q]) + random.between(0.4, 0.6, 7 * i + 1 + q));
      (*v[q])[i] = random.between(-speed, speed, 7 * i + 4 + q);
    }
  }
  return bodies;
}

/// A box from the origin on, with the same length along each axis and the given boundary at all ends.
inline Domain box_of(const Boundary& boundary, int dimensions, double edge) {
  Domain domain{.dimensions = dimensions};
  for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
    domain.boundary[q] = &boundary;
    domain.edges[q] = edge;
  }
  return domain;
}

/// The edge of a box that `gas` fills.
inline double edge_of_gas(std::size_t n, int dimensions, double spacing) {
  return spacing * static_cast<double>(side_of(n, dimensions));
}

inline System in_box(const Domain& domain, System system) {
  system.domain = domain;
  return system;
}

}  // namespace orrery::sim::testing
