// SPDX-License-Identifier: MIT
// Bodies thrown at random into a cube.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState random_cube;

}  // namespace orrery::sim
