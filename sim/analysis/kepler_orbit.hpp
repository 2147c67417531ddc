// SPDX-License-Identifier: MIT
// The two-body problem in closed form, for analysis and tests.
#pragma once

#include "sim/bodies.hpp"

namespace orrery::sim {

struct RelativeOrbit {
  Vec3 position, velocity;
};

/// The orbit of one body about the other in the plane z = 0, with pericentre on the x axis, at time t after pericentre,
/// by Kepler's equation in long double. `mu` is G times the total mass; 0 ≤ e < 1.
RelativeOrbit kepler_orbit(double mu, double semi_major_axis, double eccentricity, double t);

struct OrbitalElements {
  double semi_major_axis;  ///< negative for a hyperbola, infinite for a parabola
  double eccentricity;
  double inclination;  ///< to the x-y plane, 0 … π; NaN for a straight line
};

/// The osculating orbit for this position and velocity relative to the centre; `mu` > 0 is G times the total mass. By
/// the vis-viva equation and the Laplace-Runge-Lenz vector: Murray and Dermott, Solar System Dynamics (1999), section
/// 2.8.
OrbitalElements orbital_elements(double mu, const Vec3& position, const Vec3& velocity);

}  // namespace orrery::sim
