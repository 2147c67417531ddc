// SPDX-License-Identifier: MIT
// Temperature and pressure of bodies with forces of a short range, in units where Boltzmann's constant is 1 (Allen and
// Tildesley, Computer Simulation of Liquids, 2nd edition, sections 2.4 and 2.5).
#pragma once

#include <cstddef>

#include "sim/domain.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

/// What stays the same while temperature and pressure change.
struct Ensemble {
  std::size_t bodies = 0;
  double mass = 0;     ///< of all bodies together
  int dimensions = 3;  ///< that they move in
  double volume = 0;   ///< of the box, an area in two dimensions; 0: it has none
};

inline Ensemble ensemble_of(std::size_t bodies, double mass, const Domain& domain) {
  return {bodies, mass, domain.dimensions, domain.volume()};
}

/// T = 2 (K − P²/2M) / (d (n − 1)), an energy: twice the kinetic energy about the centre of mass, P being the momentum
/// and M the mass of all n bodies, by the number of its degrees of freedom in d dimensions. 0 for one body, and never
/// below.
inline double temperature(const Observables& seen, const Ensemble& of) {
  if (of.bodies < 2) return 0;
  const Vec3& p = seen.momentum;
  const double drift = of.mass > 0 ? (p.x * p.x + p.y * p.y + p.z * p.z) / (2 * of.mass) : 0;
  const double heat = seen.kinetic_energy - drift;
  return heat < 0 ? 0 : 2 * heat / (of.dimensions * (static_cast<double>(of.bodies) - 1));
}

/// p = (n T + W/d) / V, a force by the area (in two dimensions by the length) that it presses on: W = Σ over pairs of
/// F_ij·r_ij is the virial, above 0 where bodies repel each other. By Clausius's theorem; only where V > 0.
inline double pressure(const Observables& seen, const Ensemble& of) {
  return (static_cast<double>(of.bodies) * temperature(seen, of) + seen.virial / of.dimensions) / of.volume;
}

}  // namespace orrery::sim
