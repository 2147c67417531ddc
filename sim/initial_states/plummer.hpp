// SPDX-License-Identifier: MIT
// Plummer's sphere: the simplest model of a star cluster, in equilibrium unless asked otherwise.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState plummer;

}  // namespace orrery::sim
