// SPDX-License-Identifier: MIT
// Two bodies in closed form, for whoever checks a run against it; no step is taken with this.
#pragma once

#include "sim/bodies.hpp"

namespace orrery::sim {

struct RelativeOrbit {
  Vec3 position, velocity;
};

/// The orbit of one body about the other, in the plane z = 0 with its pericentre on the x axis, at time t after it:
/// Kepler's equation in long double. `mu` is G times both masses; 0 ≤ e < 1.
RelativeOrbit kepler_orbit(double mu, double semi_major_axis, double eccentricity, double t);

}  // namespace orrery::sim
