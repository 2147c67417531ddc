// SPDX-License-Identifier: MIT
// Bodies on the sites of a crystal, as molecular dynamics begins.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState lattice;

}  // namespace orrery::sim
