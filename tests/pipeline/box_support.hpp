// SPDX-License-Identifier: MIT
// Boxes, and gases in them.
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string_view>

#include "sim/bodies.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/domain.hpp"

namespace orrery::pipeline::testing {

/// `kinds` has a letter for each axis: p(eriodic), r(eflecting) or o(pen).
inline sim::Domain domain_of(int dimensions, std::array<double, 3> edges, std::string_view kinds,
                             std::array<double, 3> low = {}) {
  sim::Domain domain{.dimensions = dimensions, .low = low, .edges = edges};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k)
    domain.boundary[k] = kinds[k] == 'p'   ? &sim::Periodic::kind
                         : kinds[k] == 'r' ? &sim::Reflecting::kind
                                           : &sim::Open::kind;
  return domain;
}

/// Bodies uniformly random in the box.
inline sim::Vectors gas(std::size_t bodies, const sim::Domain& domain, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  sim::Vectors places;
  for (std::size_t i = 0; i < bodies; ++i) {
    std::array<double, 3> at{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(domain.dimensions); ++k)
      at[k] = domain.low[k] + share(random) * domain.edges[k];
    places.push_back(at[0], at[1], at[2]);
  }
  return places;
}

}  // namespace orrery::pipeline::testing
