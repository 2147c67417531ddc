// SPDX-License-Identifier: MIT
// Periodic axis.
//
// First length is added while x < low, then subtracted while x ≥ low + length (rounded once), with one rounding each;
// if rounding leaves x below low, which requires low ≠ 0, it becomes low. So low ≤ x < low + length, and values inside,
// −0 included, keep their bits. After max_crossings x is lost.
#pragma once

#include "sim/boundaries/lost.hpp"

namespace orrery::sim {

struct Periodic {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double low, double length) {
    const Coordinate before = at;
    const double high = low + length;
    int left = max_crossings;
    while (at.x < low) {
      if (left-- == 0) return lost(before);
      at.x += length;
      --at.image;
    }
    while (at.x >= high) {
      if (left-- == 0) return lost(before);
      at.x -= length;
      ++at.image;
    }
    if (at.x < low) at.x = low;
    return at;
  }

  static constexpr Boundary kind{.name = "periodic",
                                 .meaning = "bodies that leave at one end enter at the other",
                                 .bounded = true,
                                 .periodic = true,
                                 .cross = cross};
};

}  // namespace orrery::sim
