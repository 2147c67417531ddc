// SPDX-License-Identifier: MIT
// Positions and velocities of listed bodies, of which some are given by orbital elements.
#pragma once

#include "common/parameter.hpp"
#include "sim/bodies.hpp"
#include "sim/orbit.hpp"

namespace orrery::sim {

struct ListedStates {
  Vectors position, velocity;
};

/// States of all rows. A row has position and velocity (NaN: none), or elements of its orbit about bodies before it: `around`
/// names one, several ("A + B": their barycentre) or all ("all", ""), in this table and `before` it. µ is G times the mass of these and its own. `plane`: "equatorial" if the elements refer to the equator of J2000 and the x-y
/// plane is the ecliptic. Time is 0. Position and velocity are relative to what is `around`, if that is given. Throws ArgumentError for
/// `bodies[row]` with all that contradicts or lacks in the first row that is wrong.
ListedStates states_of(const Columns& table, double G, const Bodies* before = nullptr);

}  // namespace orrery::sim
