// SPDX-License-Identifier: MIT
// Arenstorf's orbit: a spacecraft without mass that loops about the Moon and comes back.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState arenstorf;

}  // namespace orrery::sim
