// SPDX-License-Identifier: MIT
// Two bodies on a Kepler orbit, at pericentre on the x axis.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState two_body;

}  // namespace orrery::sim
