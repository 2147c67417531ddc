// SPDX-License-Identifier: MIT
// Periodic orbits of three equal bodies that start in a line: the figure-eight, and those found from 2013 on.
#pragma once

#include <array>

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const std::array<InitialState, 9> collinear_orbits;

}  // namespace orrery::sim
