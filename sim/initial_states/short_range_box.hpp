// SPDX-License-Identifier: MIT
// Bodies on a grid in random order: how a course's problem of short-range forces begins.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState short_range_box;

}  // namespace orrery::sim
