// SPDX-License-Identifier: MIT
// No boundary: a body goes wherever it goes.
#pragma once

#include "sim/boundary.hpp"

namespace orrery::sim {

struct Open {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double, double) { return at; }

  static constexpr Boundary kind{.name = "open",
                                 .meaning = "no wall: bodies go wherever they go",
                                 .bounded = false,
                                 .joined = false,
                                 .cross = cross};
};

}  // namespace orrery::sim
