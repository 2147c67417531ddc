// SPDX-License-Identifier: MIT
// Which bodies are close to each other: for messages, and for the moment at which an energy went off.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// Two bodies and the square of their distance; infinitely far where there are no two.
struct Pair {
  std::size_t i = 0, j = 0;
  double r2 = std::numeric_limits<double>::infinity();
  bool cut_short = false;  ///< the search was stopped: there may be closer ones
};

/// Lengths of the axes whose ends are joined, across which bodies are met too (Domain::periods); 0 for the others.
using Periods = std::array<double, 3>;

/// Body i and the nearest of the others, of equally near ones the first.
Pair nearest(const Vectors& position, std::size_t i, const Periods& periods = {});

/// The closest pair i < j, of equally close ones the first. Bodies with a coordinate that is no number or infinite are
/// not met. `stop` is asked now and then; null: never.
Pair closest(const Vectors& position, bool (*stop)() = nullptr, const Periods& periods = {});

}  // namespace orrery::sim
