// SPDX-License-Identifier: MIT
// Every initial state, one source file each.
#pragma once

#include <array>

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState arenstorf, galaxy, lagrange_triangle, lattice, outer_solar_system, plummer, pythagorean,
    random_cube, short_range_box, table, two_body, uniform_sphere;
extern const std::array<InitialState, 9> collinear_orbits;

}  // namespace orrery::sim
