// SPDX-License-Identifier: MIT
// A periodic axis: a body that leaves at one end comes in at the other, as fast as it was.
//
// First length is added while x < low, then it is taken away while x ≥ low + length (that sum rounded once), one
// rounding each; where rounding alone leaves x below low, which needs low ≠ 0, it becomes low. So low ≤ x < low +
// length, and what is there already, −0 included, keeps its bits.
#pragma once

#include "sim/boundary.hpp"

namespace orrery::sim {

struct Periodic {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double low, double length) {
    const Coordinate before = at;
    const double high = low + length;
    int left = most_crossings;
    while (at.x < low) {
      if (left-- == 0) return before;
      at.x += length;
      --at.image;
    }
    while (at.x >= high) {
      if (left-- == 0) return before;
      at.x -= length;
      ++at.image;
    }
    if (at.x < low) at.x = low;
    return at;
  }

  static constexpr Boundary kind{.name = "periodic",
                                 .meaning = "what leaves at one end comes in at the other",
                                 .bounded = true,
                                 .joined = true,
                                 .cross = cross};
};

}  // namespace orrery::sim
