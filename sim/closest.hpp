// SPDX-License-Identifier: MIT
// Which bodies are close to each other: for messages, and for the moment at which an energy went off.
#pragma once

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

/// Body i and the nearest of the others, of equally near ones the first.
Pair nearest(const Vectors& position, std::size_t i);

/// The closest pair i < j, of equally close ones the first. Bodies with a coordinate that is no number or infinite are not
/// met. `stop` is asked now and then; null: never.
Pair closest(const Vectors& position, bool (*stop)() = nullptr);

}  // namespace orrery::sim
