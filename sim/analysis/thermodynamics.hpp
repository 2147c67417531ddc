// SPDX-License-Identifier: MIT
// Temperature and pressure for short-range forces, with k_B = 1 (Allen and Tildesley, Computer Simulation of Liquids,
// 2nd edition, sections 2.4 and 2.5).
#pragma once

#include <cstddef>

#include "sim/domain.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

/// Constant properties of the system.
struct Ensemble {
  std::size_t bodies = 0;
  double mass = 0;  ///< total mass
  int dimensions = 3;
  double volume = 0;  ///< of the box (area in two dimensions); 0: no box
};

inline Ensemble ensemble_of(std::size_t bodies, double mass, const Domain& domain) {
  return {bodies, mass, domain.dimensions, domain.volume()};
}

/// T = 2 (K − P²/2M) / (d (n − 1)), an energy: twice the kinetic energy about the centre of mass per degree of freedom,
/// with the total momentum P and mass M. 0 for one body; never negative.
inline double temperature(const Observables& seen, const Ensemble& of) {
  if (of.bodies < 2) return 0;
  const Vec3& p = seen.momentum;
  const double drift = of.mass > 0 ? (p.x * p.x + p.y * p.y + p.z * p.z) / (2 * of.mass) : 0;
  const double heat = seen.kinetic_energy - drift;
  return heat < 0 ? 0 : 2 * heat / (of.dimensions * (static_cast<double>(of.bodies) - 1));
}

/// p = (n T + W/d) / V by Clausius's theorem, a force per area (per length in two dimensions). The virial W = Σ over
/// pairs of F_ij·r_ij is positive for repulsion. Requires V > 0.
inline double pressure(const Observables& seen, const Ensemble& of) {
  return (static_cast<double>(of.bodies) * temperature(seen, of) + seen.virial / of.dimensions) / of.volume;
}

}  // namespace orrery::sim
