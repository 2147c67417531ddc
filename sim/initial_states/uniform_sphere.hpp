// SPDX-License-Identifier: MIT
// Bodies evenly in a sphere, at rest unless asked otherwise: what a collapse starts from.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState uniform_sphere;

}  // namespace orrery::sim
