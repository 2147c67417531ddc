// SPDX-License-Identifier: MIT
// Closest pairs of bodies, for error messages and energy excursions.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// Two bodies and their squared distance; infinite if there is no pair.
struct PairOfBodies {
  std::size_t i = 0, j = 0;
  double r2 = std::numeric_limits<double>::infinity();
  bool was_stopped = false;  ///< the search was stopped; there may be closer pairs
};

/// Lengths of the periodic axes, 0 for the others (Domain::periods). Distances are to nearest images.
using Periods = std::array<double, 3>;

/// Body i and its nearest neighbour; of equally near ones the first.
PairOfBodies nearest(const Vectors& position, std::size_t i, const Periods& periods = {});

/// The closest pair i < j; of equally close ones the first. Ignores bodies with NaN or infinite coordinates. `stop` is
/// polled regularly; null: never.
PairOfBodies closest(const Vectors& position, bool (*stop)() = nullptr, const Periods& periods = {});

}  // namespace orrery::sim
