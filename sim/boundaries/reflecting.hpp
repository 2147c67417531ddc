// SPDX-License-Identifier: MIT
// Two walls: a body that went through one is where its mirror image in it is, and moves the other way.
//
// While x < low or x > high, with high = low + length rounded once, x becomes 2·low − x or 2·high − x, one rounding
// each, and v becomes −v. With low = 0 that is, bit by bit, the rule of the textbook: while x < 0 or x > size, x
// becomes −x or 2·size − x. So low ≤ x ≤ high, and what is there already, be it on a wall, keeps its bits.
#pragma once

#include "sim/boundary.hpp"

namespace orrery::sim {

struct Reflecting {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double low, double length) {
    const Coordinate before = at;
    const double high = low + length;
    int left = most_crossings;
    while (at.x < low || at.x > high) {
      if (left-- == 0) return before;
      at.x = 2 * (at.x < low ? low : high) - at.x;
      at.v = -at.v;
    }
    return at;
  }

  static constexpr Boundary kind{.name = "reflecting",
                                 .meaning = "a wall at either end, which turns the velocity around",
                                 .bounded = true,
                                 .joined = false,
                                 .cross = cross};
};

}  // namespace orrery::sim
