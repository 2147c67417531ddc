// SPDX-License-Identifier: MIT
// Which conic section a body is on at a moment, if nothing but its centre attracted it.
#pragma once

#include "sim/bodies.hpp"

namespace orrery::sim {

struct OrbitalElements {
  double semi_major_axis;  ///< below 0 on a hyperbola, infinite on a parabola
  double eccentricity;
  double inclination;  ///< to the x-y plane, 0 … π; not a number on a straight line, which lies in no plane
};

/// The osculating orbit of a body at `position` and `velocity` from its centre; `mu` is G times both masses, above 0.
/// Vis viva, and the vector of Laplace, Runge and Lenz: Murray and Dermott, Solar System Dynamics (1999), section 2.8.
OrbitalElements orbital_elements(double mu, const Vec3& position, const Vec3& velocity);

}  // namespace orrery::sim
