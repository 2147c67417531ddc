// SPDX-License-Identifier: MIT
// Three equal bodies that chase each other along one figure-eight.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState figure_eight;

}  // namespace orrery::sim
