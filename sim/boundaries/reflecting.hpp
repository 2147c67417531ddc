// SPDX-License-Identifier: MIT
// Two reflecting walls.
//
// While x < low or x > high, with high = low + length rounded once, x becomes 2·low − x or 2·high − x, with one
// rounding each, and v becomes −v. For low = 0 these are the bits of −x and 2·size − x. So low ≤ x ≤ high, and values
// inside or on a wall keep their bits. After max_crossings x is lost.
#pragma once

#include "sim/boundaries/lost.hpp"

namespace orrery::sim {

struct Reflecting {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double low, double length) {
    const Coordinate before = at;
    const double high = low + length;
    int left = max_crossings;
    while (at.x < low || at.x > high) {
      if (left-- == 0) return lost(before);
      at.x = 2 * (at.x < low ? low : high) - at.x;
      at.v = -at.v;
    }
    return at;
  }

  static constexpr Boundary kind{.name = "reflecting",
                                 .meaning = "a wall at each end, which reverses the velocity",
                                 .bounded = true,
                                 .periodic = false,
                                 .cross = cross};
};

}  // namespace orrery::sim
