// SPDX-License-Identifier: MIT
// Bodies one by one, from the scenario or from a CSV file.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState table;

}  // namespace orrery::sim
