// SPDX-License-Identifier: MIT
// A disk galaxy with a bulge, in what external fields there are.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState galaxy;

}  // namespace orrery::sim
