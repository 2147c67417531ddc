// SPDX-License-Identifier: MIT
// Where Sun, planets, Moon and Pluto were or will be, after the ephemeris DE405 (Standish 1998).
#pragma once

#include <array>
#include <cstddef>

#include "sim/bodies.hpp"

namespace orrery::sim::ephemeris {

/// Position in au, velocity in au/d; axes are those of the ICRF, the Earth's mean equator and equinox J2000 within 0.02″.
struct State {
  Vec3 position, velocity;
};

/// In this order; Pluto is the barycentre of Pluto and its moons. The origin is the barycentre of all.
enum Body { sun, mercury, venus, earth, moon, mars, jupiter, saturn, uranus, neptune, pluto, body_count };
using States = std::array<State, body_count>;

/// G times the masses of DE405, in au³/d².
inline constexpr double gm[body_count] = {2.9591220823218389e-04, 4.9125474505641789e-11, 7.2434524848553810e-10,
                                          8.8876923885094299e-10, 1.0931895657925885e-11, 9.5495351040557264e-11,
                                          2.8253459090142988e-07, 8.4597151841538210e-08, 1.2920249165487806e-08,
                                          1.5243589005091550e-08, 2.1886997650309461e-12};

/// Dates for which there are states, as Julian dates of TDB: 1960-01-01 to 2060-01-10.
inline constexpr int node_count = 37;
inline constexpr double first_date = 2436934.5, between_nodes = 1015,
                        last_date = first_date + (node_count - 1) * between_nodes;
/// The states of DE405 every `between_nodes` days, with 13 digits after the point (15 for velocities).
extern const States nodes[node_count];

/// The states at a date from first_date to last_date, within 0.6 km of those of DE405: motions from the two nodes around it,
/// averaged with weights that fall linearly to 0 at the other node, which cancels what grows in proportion to time. Motions are
/// those of points under Newton's law, with the relativistic term of the Sun and the oblateness of the Earth.
States states_at(double date);

}  // namespace orrery::sim::ephemeris
