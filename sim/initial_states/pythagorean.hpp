// SPDX-License-Identifier: MIT
// Burrau's problem: three bodies at rest at the corners of the triangle with sides 3, 4 and 5.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState pythagorean;

}  // namespace orrery::sim
