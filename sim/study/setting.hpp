// SPDX-License-Identifier: MIT
// What works of studies have in common besides their bodies.
#pragma once

namespace orrery::sim::study {

/// Gravity with G = 1, in the units of the bodies.
struct Setting {
  double softening = 0.05;  ///< Plummer's, > 0
  double dt = 1e-6;         ///< of symplectic Euler: a kick, a drift
  int threads = 1;          ///< of the processor
  int device = 0;           ///< which GPU
};

}  // namespace orrery::sim::study
