// SPDX-License-Identifier: MIT
#pragma once

#include "sim/boundary.hpp"

namespace orrery::sim {

struct Open {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double, double) { return at; }

  static constexpr Boundary kind{.name = "open",
                                 .meaning = "no wall: bodies move without limit",
                                 .bounded = false,
                                 .periodic = false,
                                 .cross = cross};
};

}  // namespace orrery::sim
