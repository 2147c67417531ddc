// SPDX-License-Identifier: MIT
// The Sun, the four giant planets and Pluto.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState outer_solar_system;

}  // namespace orrery::sim
